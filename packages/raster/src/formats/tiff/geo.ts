import type { Affine } from '@swath/geo/affine.ts'
import { invertAffine } from '@swath/geo/affine.ts'
import type { GeoTags } from '../../types.ts'
import type { GeoKeys } from '../crs/parse-geo-keys.ts'
import { noPixelSizeReason, noPlaceReason } from '../crs/require-georeferenced.ts'
import { fitControlPoints, createUngeoreferencedFit } from './control-points.ts'
import type { ControlPoint, ControlPointFit } from './control-points.ts'
import type { TiffDirectory } from './directory.ts'
import { tiffTags } from './tags.ts'

const raster_type_key = 1025
const pixel_is_point = 2

export async function readGeoTags(directory: TiffDirectory): Promise<GeoTags> {
  return {
    keyDirectory: (await directory.numbers(tiffTags.geoKeyDirectory)) ?? null,
    doubles: (await directory.numbers(tiffTags.geoDoubles)) ?? null,
    ascii: (await directory.text(tiffTags.geoAscii)) ?? null,
  }
}

/**
 * Pixel corner to world of the full image, from its grid, else from its control points; null where neither is usable.
 * A file whose pixels are points is moved by half a pixel, so that whole numbers are always corners.
 */
export async function readTiffGeoreferencing(
  directory: TiffDirectory,
  keys: GeoKeys,
  diagonal: number,
): Promise<ControlPointFit> {
  const scale = await directory.numbers(tiffTags.pixelScale, 16)
  const tiepoints = await directory.numbers(tiffTags.tiepoints)
  const matrix = await directory.numbers(tiffTags.transformation, 16)
  const affine = affineFromScale(scale, tiepoints) ?? affineFromMatrix(matrix)
  const half = keys.get(raster_type_key) === pixel_is_point ? 0.5 : 0
  if (!affine && tiepoints && tiepoints.length > 6) {
    return fitControlPoints(controlPoints(tiepoints, half), diagonal)
  }
  if (!affine) return createUngeoreferencedFit(noPlaceReason)
  if (!affine.every(Number.isFinite) || !invertAffine(affine)) return createUngeoreferencedFit(noPixelSizeReason)
  const [a, b, c, d, e, f] = affine
  return { affine: [a - (b + c) * half, b, c, d - (e + f) * half, e, f], placement: { by: 'grid' } }
}

/** Six numbers a point: column, row and depth in the image, then x, y and height in the world. */
function controlPoints(tiepoints: readonly number[], shift: number): ControlPoint[] {
  return Array.from({ length: Math.floor(tiepoints.length / 6) }, (_, index) => {
    const [column, row, , x, y] = tiepoints.slice(index * 6) as [number, number, number, number, number]
    return { column: column + shift, row: row + shift, x, y }
  })
}

function affineFromScale(scale: number[] | undefined, tiepoints: number[] | undefined): Affine | null {
  const [scaleX, scaleY] = scale ?? []
  const [column, row, , x, y] = tiepoints ?? []
  if (!scaleX || !scaleY || column === undefined || row === undefined || x === undefined || y === undefined) return null
  // Rows go down in the world whatever the sign of the vertical scale: GDAL reads it so.
  const down = -Math.abs(scaleY)
  return [x - column * scaleX, scaleX, 0, y - row * down, 0, down]
}

function affineFromMatrix(matrix: number[] | undefined): Affine | null {
  if (matrix?.length !== 16) return null
  const [b, c, , a, e, f, , d] = matrix as [number, number, number, number, number, number, number, number]
  return [a, b, c, d, e, f]
}
