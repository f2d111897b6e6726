import { RasterFailure } from '../failures.ts'
import type { Level, Raster, Source } from '../types.ts'
import { openRaster } from './open-raster.ts'

interface OpenOptions {
  readonly signal?: AbortSignal
}

/**
 * Opens a raster with an external mask file, as GDAL writes with the extension `.msk`: every level uses the mask level of
 * the same size; an overview without one is dropped, because it would show masked pixels. Fails as openRaster does, and with
 * `grids_differ` if the mask has another size.
 */
export async function openWithMask(source: Source, maskSource: Source, options: OpenOptions = {}): Promise<Raster> {
  const [raster, mask] = await Promise.all([openRaster(source, options), openRaster(maskSource, options)])
  return addMask(raster, mask)
}

/** The same of two that are open already; fails with `unsupported` and `grids_differ`. */
export function addMask(raster: Raster, mask: Raster): Raster {
  const { bitsPerSample } = mask.levels[0]!.storage
  if (bitsPerSample > 8) throw new RasterFailure('unsupported', `a mask of ${bitsPerSample} bits is not read`)
  if (mask.width !== raster.width || mask.height !== raster.height) {
    throw new RasterFailure(
      'grids_differ',
      `the mask has ${mask.width}×${mask.height} pixels, the picture ${raster.width}×${raster.height}`,
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

function maskLevel(level: Level, masks: readonly Level[]): Level[] {
  const mask = masks.find(({ width, height }) => width === level.width && height === level.height)
  return mask ? [{ ...level, mask }] : []
}
