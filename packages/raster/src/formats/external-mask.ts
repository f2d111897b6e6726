import { RasterFailure } from '../failures.ts'
import type { Level, Raster } from '../types.ts'

/**
 * A raster with the mask of another file, as GDAL writes with the extension `.msk`: every level uses the mask level of the
 * same size; an overview without one is dropped, because it would show masked pixels. Fails with `unsupported` for a mask of
 * more than eight bits, `grids_differ` for one of another size.
 */
export function addMask(raster: Raster, mask: Raster): Raster {
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

function maskLevel(level: Level, masks: readonly Level[]): Level[] {
  const mask = masks.find(({ width, height }) => width === level.width && height === level.height)
  return mask ? [{ ...level, mask }] : []
}
