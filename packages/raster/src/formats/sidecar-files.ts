import { access } from 'node:fs/promises'
import { openFileSource, createOnDemandFileSource } from '../io/source/file.ts'
import type { RasterLevel, Raster, RasterByteSource } from '../types.ts'
import { isOverviewOf } from './tiff/levels.ts'
import { openRaster } from './open-raster.ts'
import { RasterFailure } from '../failures.ts'

/**
 * A raster with the mask of another file, as GDAL writes with the extension `.msk`: every level uses the mask level of the
 * same size; an overview without one is dropped, because it would show masked pixels. Fails with `unsupported` for a mask of
 * more than eight bits, `grids_differ` for one of another size.
 */
export function attachExternalMask(raster: Raster, mask: Raster): Raster {
  const { bitsPerSample } = mask.levels[0]!.storage
  if (bitsPerSample > 8) throw new RasterFailure('unsupported', `a mask of ${bitsPerSample} bits is not read`)
  if (mask.width !== raster.width || mask.height !== raster.height) {
    throw new RasterFailure(
      'grids_differ',
      `the mask has ${mask.width}×${mask.height} pixels, the image ${raster.width}×${raster.height}`,
    )
  }
  return {
    ...raster,
    maskSource: mask.source,
    ...(mask.overviewSource && { maskOverviewSource: mask.overviewSource }),
    levels: raster.levels
      .flatMap((level) => maskLevel(level, mask.levels))
      .map((level, index) => ({ ...level, index, mask: { ...level.mask!, index } })),
  }
}

function maskLevel(level: RasterLevel, masks: readonly RasterLevel[]): RasterLevel[] {
  const mask = masks.find(({ width, height }) => width === level.width && height === level.height)
  return mask ? [{ ...level, mask }] : []
}

interface OpenOptions {
  readonly signal?: AbortSignal
}

/**
 * Opens a local file with its side files as GDAL names them: overviews (`.ovr`) if it has no internal ones, a mask (`.msk`,
 * with its own overviews) if it has no internal one. The caller closes `raster.source`; side files are open only during
 * reads.
 */
export async function openRasterFile(path: string, options: OpenOptions = {}): Promise<Raster> {
  const source = await openFileSource(path)
  try {
    const raster = await openBeside(source, path, options)
    const maskPath = `${path}.msk`
    if (raster.levels[0]!.mask || !(await exists(maskPath))) return raster
    return attachExternalMask(raster, await openBeside(await createOnDemandFileSource(maskPath), maskPath, options))
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openBeside(source: RasterByteSource, path: string, options: OpenOptions): Promise<Raster> {
  const raster = await openRaster(source, options)
  const overviewPath = `${path}.ovr`
  if (raster.levels.length > 1 || !(await exists(overviewPath))) return raster
  return attachExternalOverviews(raster, await openRaster(await createOnDemandFileSource(overviewPath), options))
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * A raster with the overviews of another file, as GDAL writes with the extension `.ovr`. Overviews of another sample type or
 * layout are dropped, and those without a mask if the raster has one.
 */
export function attachExternalOverviews(raster: Raster, overviews: Raster): Raster {
  const base = raster.levels[0]!
  const levels = overviews.levels.filter((level) => isOverviewOf(base, level)).map((level, at) => number(level, at + 1))
  return levels.length > 0 ? { ...raster, overviewSource: overviews.source, levels: [base, ...levels] } : raster
}

function number(level: RasterLevel, index: number): RasterLevel {
  return { ...level, index, mask: level.mask && { ...level.mask, index } }
}
