import { access } from 'node:fs/promises'
import { fileSource, pathSource } from '../source/file.ts'
import type { Level, Raster, Source } from '../types.ts'
import { addMask } from './external-mask.ts'
import { isOverviewOf } from './levels.ts'
import { openRaster } from './open.ts'

interface OpenOptions {
  readonly signal?: AbortSignal
}

/**
 * A picture whose overviews are a file of their own, as GDAL writes beside it with the ending `.ovr`. Overviews of another kind
 * are left out, and those without a mask where the picture has one. Fails as openRaster does.
 */
export async function openWithOverviews(
  source: Source,
  overviewSource: Source,
  options: OpenOptions = {},
): Promise<Raster> {
  const [raster, overviews] = await Promise.all([openRaster(source, options), openRaster(overviewSource, options)])
  return addOverviews(raster, overviews)
}

/**
 * A local file with what lies beside it, by the names that GDAL gives: overviews (`.ovr`) if it has none inside, a mask (`.msk`,
 * with overviews of its own) if it has none inside. `raster.source` is to be closed; the others are held open only while they
 * are read.
 */
export async function openRasterFile(path: string, options: OpenOptions = {}): Promise<Raster> {
  const source = await fileSource(path)
  try {
    const raster = await openBeside(source, path, options)
    const maskPath = `${path}.msk`
    if (raster.levels[0]!.mask || !(await exists(maskPath))) return raster
    return addMask(raster, await openBeside(await pathSource(maskPath), maskPath, options))
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openBeside(source: Source, path: string, options: OpenOptions): Promise<Raster> {
  const raster = await openRaster(source, options)
  const overviewPath = `${path}.ovr`
  if (raster.levels.length > 1 || !(await exists(overviewPath))) return raster
  return addOverviews(raster, await openRaster(await pathSource(overviewPath), options))
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function addOverviews(raster: Raster, overviews: Raster): Raster {
  const base = raster.levels[0]!
  const levels = overviews.levels.filter((level) => isOverviewOf(base, level)).map((level, at) => number(level, at + 1))
  return levels.length > 0 ? { ...raster, overviewSource: overviews.source, levels: [base, ...levels] } : raster
}

function number(level: Level, index: number): Level {
  return { ...level, index, mask: level.mask && { ...level.mask, index } }
}
