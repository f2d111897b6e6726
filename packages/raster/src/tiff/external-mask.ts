import { access } from 'node:fs/promises'
import { RasterFailure } from '../failures.ts'
import { fileSource, pathSource } from '../source/file.ts'
import type { Level, Raster, Source } from '../types.ts'
import { openRaster } from './open.ts'

interface OpenOptions {
  readonly signal?: AbortSignal
}

/**
 * A picture whose mask is a file of its own, as GDAL writes beside it with the ending `.msk`: every level takes the level of
 * the same size, and an overview without one is left out, because it would show what is hidden. Fails as openRaster
 * does, and with `grids_differ` where the mask has another size.
 */
export async function openMasked(source: Source, maskSource: Source, options: OpenOptions = {}): Promise<Raster> {
  const [raster, mask] = await Promise.all([openRaster(source, options), openRaster(maskSource, options)])
  const { bitsPerSample } = mask.levels[0]!.storage
  if (bitsPerSample > 8) throw new RasterFailure('unsupported', `a mask of ${bitsPerSample} bits is not read`)
  if (mask.width !== raster.width || mask.height !== raster.height) {
    throw new RasterFailure(
      'grids_differ',
      `the mask has ${mask.width}×${mask.height} pixels, the picture ${raster.width}×${raster.height}`,
    )
  }
  return { ...raster, maskSource, levels: raster.levels.flatMap((level) => maskLevel(level, mask.levels)) }
}

function maskLevel(level: Level, masks: readonly Level[]): Level[] {
  const mask = masks.find(({ width, height }) => width === level.width && height === level.height)
  return mask ? [{ ...level, mask: { ...mask, index: level.index } }] : []
}

/**
 * A local file, with the mask that lies beside it if there is one and the file has none inside. `raster.source` is to be closed; the
 * mask is held open only while it is read.
 */
export async function openRasterFile(path: string, options: OpenOptions = {}): Promise<Raster> {
  const source = await fileSource(path)
  try {
    const sidecar = `${path}.msk`
    const raster = await openRaster(source, options)
    const hasSidecar = await access(sidecar).then(
      () => true,
      () => false,
    )
    return hasSidecar && !raster.levels[0]!.mask ? await openMasked(source, await pathSource(sidecar), options) : raster
  } catch (error) {
    await source.close()
    throw error
  }
}
