import { applyAffine } from '@swath/geo/affine.ts'
import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'

/** Maximum distance, in pixels, of corners that count as equal; it covers the rounding of coordinates. */
const tolerance_pixels = 0.01

/**
 * Requires that rasters share size, georeferencing and reference system, so that they can be combined without resampling.
 *
 * @throws RasterFailure `grids_differ` which says which file differs from the first, and in what.
 */
export function requireAlignedGrids(rasters: readonly Raster[]): void {
  const [first, ...others] = rasters
  if (!first) throw new RasterFailure('request', 'there is no file to copy')
  for (const [index, raster] of others.entries()) {
    const difference = describeGridDifference(first, raster)
    if (difference !== null)
      throw new RasterFailure('grids_differ', `file ${index + 2} does not lie on the grid of file 1: ${difference}`)
  }
}

/** Describes how the grid of one file differs from that of another; null if they are equal. */
export function describeGridDifference(first: Raster, other: Raster): string | null {
  if (first.width !== other.width || first.height !== other.height)
    return `it has ${other.width}×${other.height} pixels, not ${first.width}×${first.height}`
  if (first.georeferenced !== other.georeferenced) return 'only one of them says where it lies'
  if (!sameReference(first, other)) return `it is in ${other.crs.name}, not ${first.crs.name}`
  const apart = cornersApart(first, other)
  return apart > tolerance_pixels ? `its corners lie up to ${Number(apart.toPrecision(3))} pixels away` : null
}

function sameReference(first: Raster, other: Raster): boolean {
  if (first.crs.epsg !== null || other.crs.epsg !== null) return first.crs.epsg === other.crs.epsg
  if (first.crs.proj4 !== null || other.crs.proj4 !== null) return first.crs.proj4 === other.crs.proj4
  return JSON.stringify(first.geoTags) === JSON.stringify(other.geoTags)
}

function cornersApart(first: Raster, other: Raster): number {
  const [, b, c, , e, f] = first.affine
  const pixel = Math.min(Math.hypot(b, e), Math.hypot(c, f))
  let worst = 0
  for (const column of [0, first.width])
    for (const row of [0, first.height]) {
      const [x1, y1] = applyAffine(first.affine, column, row)
      const [x2, y2] = applyAffine(other.affine, column, row)
      worst = Math.max(worst, Math.hypot(x2 - x1, y2 - y1))
    }
  return worst / pixel
}
