import { requireGeoreferenced, requireInverseAffine } from '../../formats/crs/require-georeferenced.ts'
import { projectRaster } from '../../formats/crs/projected-extent.ts'
import type { PixelPart, PlanePosition, ProjectedRaster } from '../../formats/crs/projected-extent.ts'
import { applyAffine, isPlace } from '@swath/geo/affine.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { isSameCrs } from '../../render/warp/warp-grid.ts'
import type { TargetGrid } from '../../render/warp/warp-grid.ts'
import { RasterFailure } from '../../failures.ts'
import type { Crs, Raster } from '../../types.ts'
import { fitLastColumn, fitLastRow, isConfirmed } from './fit-grid-end.ts'
import { samplePart } from './sample-part.ts'
import type { SampledPart } from './sample-part.ts'

export interface SuggestWarpGridOptions {
  /** Pixel size in units of the reference system; default: the diagonal of the raster keeps its number of pixels. */
  readonly resolution?: number | readonly [x: number, y: number]
}

/** A grid, and which part of the raster it holds, after "only the part of the image"; null where it holds all of it. */
export interface SuggestedWarpGrid extends TargetGrid {
  readonly cut: string | null
}

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/**
 * The north-up grid for a raster in another reference system, as gdalwarp chooses it (GDALSuggestedWarpOutput2): square pixels
 * such that the diagonal has the same number of pixels, the upper left corner at the raster's extreme west and north. Other
 * than there, a raster across the 180° meridian stays in one piece in systems whose x counts longitude, one with a pole reaches
 * it, and one that runs to infinity is cut (`findProjectionDomain`).
 * Failures: `no_georeference` if the raster cannot be projected, `request` for an invalid resolution.
 */
export function suggestWarpGrid(raster: Raster, crs: Crs, options: SuggestWarpGridOptions = {}): SuggestedWarpGrid {
  requireGeoreferenced(raster)
  const isOwn = isSameCrs(raster.crs, crs)
  const plain = isOwn ? projectToOwnCrs(raster) : projectRaster(raster, crs)
  const first = suggestOf(plain, crs)
  // As gdalwarp does: positions that their inverse does not confirm count only as long as the whole edge is confirmed.
  const grid = isOwn || isEdgeConfirmed(plain, first) ? first : suggestChecked(raster, crs, first)
  const steps = stepsOf(options.resolution)
  // As gdalwarp does: other pixels over the extent of the grid that it would have chosen, not over that of the raster.
  const chosen = steps ? layGrid(crs, computeGridExtent(grid), steps) : grid
  return { ...chosen, cut: plain.cut }
}

/** In its own system a raster stays where it is, however it counts longitude. */
function projectToOwnCrs({ affine, width, height }: Raster): ProjectedRaster {
  const inverse = requireInverseAffine(affine)
  return {
    part: { left: 0, top: 0, right: width, bottom: height },
    cut: null,
    toTarget: (column, row) => applyAffine(affine, column, row),
    toPixel: (x, y) => applyAffine(inverse, x, y),
    cutOutline: [],
    wholeTurn: null,
    poleY: null,
  }
}

function suggestChecked(raster: Raster, crs: Crs, unchecked: TargetGrid): TargetGrid {
  try {
    return suggestOf(projectRaster(raster, crs, true), crs)
  } catch (error) {
    if (error instanceof RasterFailure && error.kind === 'no_georeference') return unchecked
    throw error
  }
}

function suggestOf(projected: ProjectedRaster, crs: Crs): TargetGrid {
  const { part } = projected
  const sampled = samplePart(projected)
  const box = boxOf(projected, sampled)
  const step = squareStep(part, sampled, box, projected.wholeTurn !== null)
  const [width, height] = [countPixels(box.right - box.left, step), countPixels(box.top - box.bottom, step)]
  const frame = { left: box.left, top: box.top, width, height }
  const stepX = fitLastColumn(projected, frame, step)
  const stepY = fitLastRow(projected, frame, [stepX, step])
  const ends = endsOfMap(projected, crs, box, frame, [stepX, stepY])
  return { crs, affine: [box.left, ends[0], 0, box.top, 0, -ends[1]], width, height }
}

const countPixels = (length: number, step: number): number => Math.max(1, Math.floor(length / step + 0.5))

/** Steps with which a grid ends where the map does: at 180 degrees, or at a pole. */
function endsOfMap(
  { wholeTurn, poleY }: ProjectedRaster,
  { geographic }: Crs,
  { left, right, bottom, top }: Box,
  { width, height }: { readonly width: number; readonly height: number },
  [stepX, stepY]: readonly [number, number],
): readonly [x: number, y: number] {
  const end = left + width * stepX
  const isEast = geographic && ((right <= 180 && end > 180) || right === 180)
  const last = geographic && wholeTurn ? wholeTurn[1] : isEast ? 180 : null
  const lowest = top - height * stepY
  const isSouth = geographic && bottom >= -90 && lowest < -90
  const floor = isSouth ? -90 : poleY !== null && poleY === bottom ? bottom : null
  return [last === null ? stepX : (last - left) / width, floor === null ? stepY : (top - floor) / height]
}

function layGrid(crs: Crs, { left, bottom, right, top }: Box, [stepX, stepY]: readonly [number, number]): TargetGrid {
  const [width, height] = [countPixels(right - left, stepX), countPixels(top - bottom, stepY)]
  return { crs, affine: [left, stepX, 0, top, 0, -stepY], width, height }
}

/** The extent of a raster in another reference system, or the part of it that has a place there. */
export function computeExtentInCrs(raster: Raster, crs: Crs): Box {
  const projected = projectRaster(raster, crs)
  return boxOf(projected, samplePart(projected))
}

function boxOf({ cutOutline, wholeTurn, poleY }: ProjectedRaster, { found }: SampledPart): Box {
  const places = [...found, ...cutOutline].filter(isPlace)
  if (places.length === 0)
    throw new RasterFailure(
      'no_georeference',
      'the image has no place in the reference system that was asked for; choose one that is used where the image lies',
    )
  const [left, bottom, right, top] = coordinateExtent(places)
  const [first, last] = wholeTurn ?? [left, right]
  return {
    left: first,
    right: last,
    bottom: poleY === null ? bottom : Math.min(bottom, poleY),
    top: poleY === null ? top : Math.max(top, poleY),
  }
}

function stepsOf(resolution: SuggestWarpGridOptions['resolution']): readonly [number, number] | null {
  if (resolution === undefined) return null
  const steps = typeof resolution === 'number' ? ([resolution, resolution] as const) : resolution
  if (!steps.every((step) => Number.isFinite(step) && step > 0))
    throw new RasterFailure('request', 'a resolution is a number above zero')
  return steps
}

/** Of the width of a grid: what rounding leaves. */
const negligible_part = 1e-9

/** From the upper left corner to the lower right one; where that says nothing, across the box. */
function squareStep(
  { left, top, right, bottom }: PixelPart,
  { first, last }: SampledPart,
  box: Box,
  isWholeTurn: boolean,
): number {
  let [across, down] = [last[0] - first[0], last[1] - first[1]]
  // Both ends of a turn are the same place.
  if (isWholeTurn && Math.abs(across) < negligible_part * (box.right - box.left)) across = 0
  if (!(across !== 0 && down !== 0 && Number.isFinite(across + down)))
    [across, down] = [box.right - box.left, box.top - box.bottom]
  return Math.hypot(across, down) / Math.hypot(right - left, bottom - top)
}

/** Steps along a side of a grid at which its edge is tried. */
const edge_steps = 20
/** Places at the very end of the map do not come back from their inverse. */
const edge_degrees = 1e-6

/** True if the edge of a grid is where the projection and its inverse put it, to a pixel. */
function isEdgeConfirmed(projected: ProjectedRaster, grid: TargetGrid): boolean {
  const { left, right, top, bottom } = computeGridExtent(grid)
  const [west, east] = grid.crs.geographic
    ? [left === -180 ? left + edge_degrees : left, right === 180 ? right - edge_degrees : right]
    : [left, right]
  const [south, north] = grid.crs.geographic
    ? [bottom === -90 ? bottom + edge_degrees : bottom, top === 90 ? top - edge_degrees : top]
    : [bottom, top]
  const parts = Array.from({ length: edge_steps + 1 }, (_, step) => step / edge_steps)
  const edge = parts.flatMap((part): PlanePosition[] => {
    const [x, y] = [west + part * (east - west), south + part * (north - south)]
    return [
      [x, south],
      [x, north],
      [west, y],
      [east, y],
    ]
  })
  const [stepX, stepY] = [(east - west) / grid.width, (north - south) / grid.height]
  return edge.every(([x, y]) => isConfirmed(projected, [x, y, stepX, stepY]))
}

/** The grid of a raster itself. */
export function toRasterGrid({ crs, affine, width, height }: Raster): TargetGrid {
  return { crs, affine, width, height }
}

/** The corners of a grid as an upright box, in units of its reference system. */
export function computeGridExtent({ affine, width, height }: TargetGrid): Box {
  const [left, bottom, right, top] = coordinateExtent([
    applyAffine(affine, 0, 0),
    applyAffine(affine, width, 0),
    applyAffine(affine, 0, height),
    applyAffine(affine, width, height),
  ])
  return { left, bottom, right, top }
}
