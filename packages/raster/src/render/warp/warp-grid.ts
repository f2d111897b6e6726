import type { Affine } from '@swath/geo/affine.ts'
import { applyAffine, invertAffine, isPlace } from '@swath/geo/affine.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { requireGeoreferenced, requireInverseAffine } from '../../formats/crs/require-georeferenced.ts'
import { computeLonLatExtent, isWholeTurn } from '../../formats/crs/extent.ts'
import { createCrsTransform } from '../../formats/crs/transform.ts'
import { createDegreesToGridCrs, findLongitudeCount, unwrapNear } from '../../formats/crs/longitude-wrap.ts'
import { RasterFailure } from '../../failures.ts'
import { findFinestLevel } from '../plan/cell-plan.ts'
import { isSourceCurvedOverPart } from '../plan/local-scale.ts'
import type { PixelRectangle } from '../plan/mercator-to-pixel.ts'
import type { ExactTransform } from '../plan/approximation-grid.ts'
import { chooseOverviewLevel } from '../plan/overview.ts'
import type { Crs, RasterLevel, Raster, Resampling } from '../../types.ts'

/** A georeferenced pixel grid: `affine` maps pixel corners to coordinates of its reference system. */
export interface TargetGrid {
  readonly crs: Crs
  readonly affine: Affine
  readonly width: number
  readonly height: number
}

/** A prepared warp of a raster to a grid: shared by all windows, so that separately warped windows fit together. */
export interface PreparedWarp {
  readonly raster: Raster
  readonly grid: TargetGrid
  readonly resampling: Resampling
  /** The level that is read: the full one, or chosen as gdalwarp does; where the scale is local, as fine as the finest part of the grid needs. */
  readonly level: RasterLevel
  /** Target pixels per pixel of that level in x and y; `local` if the scale varies over the grid. */
  readonly scale: readonly [x: number, y: number] | 'local'
  /** Transforms grid pixels (integer corners) to pixels of the full level; NaN if undefined. */
  readonly exactTransform: ExactTransform
  /** The grid window that the raster can cover; null if none. */
  readonly reachableWindow: PixelRectangle | null
}

/** Steps along a side of the raster, or of the grid, at which one is looked for on the other. */
const probes_per_side = 64
/** The extent of a raster is computed from single places: it is padded by this much, in pixels and as a part of it. */
const windowMargin = { pixels: 2, part: 0.01 }
/**
 * The margin around a raster in which its projection is used: beyond, some fold back and would show it at a wrong
 * place.
 */
const marginDegrees = { least: 1, part: 0.1, reachesHorizon: 20 }

/** Which levels a warp reads, as gdalwarp's -ovr: one as coarse as the grid, or the full resolution. */
export type WarpOverviews = 'auto' | 'none'

/**
 * Prepares warping a raster to a grid. Fails with `no_georeference` if one of them is not georeferenced.
 */
export function prepareWarp(
  raster: Raster,
  grid: TargetGrid,
  resampling: Resampling,
  overviews: WarpOverviews = 'auto',
): PreparedWarp {
  requireGeoreferenced(raster)
  const exact = placesOf(raster, grid)
  const places = probeGrid(raster, grid)
  const box = boxOf(places.filter(isPlace))
  const wholeGrid = { left: 0, top: 0, right: grid.width, bottom: grid.height }
  // A raster that is partly nowhere may reach anywhere.
  const around = places.every(isPlace) && !reachesAround(raster, grid) ? box && addMargin(box) : wholeGrid
  const reach = around && intersect(around, wholeGrid)
  const index = overviews === 'none' ? 0 : chooseOverviewLevel(raster, ratioOf(raster, places, box))
  const covered = coveredPart(box, wholeGrid)
  if (covered && isSourceCurvedOverPart(exact, covered, raster)) {
    const level = raster.levels[Math.min(index, findFinestLevel(raster, exact, covered) ?? index)]!
    return { raster, grid, resampling, level, scale: 'local', exactTransform: exact, reachableWindow: reach }
  }
  const level = raster.levels[index]!
  return {
    raster,
    grid,
    resampling,
    level,
    scale: scaleOf(raster, level, exact, box, wholeGrid),
    exactTransform: exact,
    reachableWindow: reach,
  }
}

/** True for a raster once around the earth, with or without a pole, on a map: probes do not come near enough to its seam. */
const reachesAround = (raster: Raster, grid: TargetGrid): boolean =>
  !isSameCrs(raster.crs, grid.crs) && findLongitudeCount(grid.crs) !== null && isWholeTurn(computeLonLatExtent(raster))

/** True where coordinates of both mean the same without any calculation. */
export function isSameCrs(a: Crs, b: Crs): boolean {
  if (a.epsg !== null && b.epsg !== null) return a.epsg === b.epsg
  return a.proj4 !== null && a.proj4 === b.proj4
}

function placesOf(raster: Raster, grid: TargetGrid): ExactTransform {
  const inverse = requireInverseAffine(raster.affine)
  if (isSameCrs(raster.crs, grid.crs))
    return (column, row) => applyAffine(inverse, ...applyAffine(grid.affine, column, row))
  const [toSource, target] = [createDegreesToGridCrs(raster), createCrsTransform(grid.crs)]
  const { west, south, east, north, reachesHorizon } = computeLonLatExtent(raster)
  const middle = (west + east) / 2
  const margin = reachesHorizon
    ? marginDegrees.reachesHorizon
    : Math.max(marginDegrees.least, (east - west) * marginDegrees.part, (north - south) * marginDegrees.part)
  return (column, row) => {
    const [longitude, latitude] = target.inverse(...applyAffine(grid.affine, column, row))
    // Of a map of the world both ends are half a turn away: a place on that meridian is in the first column.
    const turned = longitude + 360 * Math.round((middle - longitude) / 360 - negligible_turns)
    const isNear =
      turned > west - margin && turned < east + margin && latitude > south - margin && latitude < north + margin
    if (!isNear) return [NaN, NaN]
    // A grid in degrees may count on beyond 180; a projection wants the usual range.
    return applyAffine(inverse, ...toSource(raster.crs.geographic ? turned : longitude, latitude))
  }
}

const negligible_turns = 1e-10

type Place = readonly [column: number, row: number]

/** Positions on the grid of places all over the raster, its upper left corner first, its lower right one last. */
function probeGrid(raster: Raster, grid: TargetGrid): Place[] {
  const toGrid = createRasterToGridTransform(raster, grid)
  const steps = Array.from({ length: probes_per_side + 1 }, (_, step) => step / probes_per_side)
  return steps.flatMap((down) => steps.map((across) => toGrid(across * raster.width, down * raster.height)))
}

/** From pixels of the raster to pixels of a grid; NaN where there is no way. */
export function createRasterToGridTransform(raster: Raster, grid: TargetGrid): (column: number, row: number) => Place {
  const inverse = invertAffine(grid.affine)
  if (!inverse) throw new RasterFailure('request', 'the part that was asked for has no area')
  if (isSameCrs(raster.crs, grid.crs))
    return (column, row) => applyAffine(inverse, ...applyAffine(raster.affine, column, row))
  const [source, target] = [createCrsTransform(raster.crs), createCrsTransform(grid.crs)]
  const [middle] = applyAffine(grid.affine, grid.width / 2, grid.height / 2)
  const count = findLongitudeCount(grid.crs)
  return (column, row) => {
    const [longitude, latitude] = source.inverse(...applyAffine(raster.affine, column, row))
    const [x, y] = target.forward(longitude, latitude)
    return applyAffine(inverse, count ? unwrapNear(middle, x, count.turn) : x, y)
  }
}

function boxOf(places: readonly Place[]): PixelRectangle | null {
  if (places.length === 0) return null
  const [left, top, right, bottom] = coordinateExtent(places)
  return { left, top, right, bottom }
}

function addMargin({ left, top, right, bottom }: PixelRectangle): PixelRectangle {
  const across = windowMargin.pixels + (right - left) * windowMargin.part
  const down = windowMargin.pixels + (bottom - top) * windowMargin.part
  return { left: left - across, top: top - down, right: right + across, bottom: bottom + down }
}

/** Whole pixels; less than a thousandth of one does not count. */
function outward({ left, top, right, bottom }: PixelRectangle): PixelRectangle {
  return {
    left: Math.floor(left + 0.001),
    top: Math.floor(top + 0.001),
    right: Math.ceil(right - 0.001),
    bottom: Math.ceil(bottom - 0.001),
  }
}

function intersect(a: PixelRectangle, b: PixelRectangle): PixelRectangle | null {
  const both = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return both.left < both.right && both.top < both.bottom ? both : null
}

function coveredPart(box: PixelRectangle | null, wholeGrid: PixelRectangle): PixelRectangle | null {
  return box && intersect(outward(box), wholeGrid)
}

/** Pixels of the raster in one of the grid: both diagonals compared. */
function ratioOf(raster: Raster, places: readonly Place[], box: PixelRectangle | null): number {
  const [[x0, y0], [x1, y1]] = [places[0]!, places.at(-1)!]
  let [across, down] = [x1 - x0, y1 - y0]
  if (!(across !== 0 && down !== 0 && Number.isFinite(across + down))) {
    across = box ? box.right - box.left : 0
    down = box ? box.bottom - box.top : 0
  }
  const diagonal = Math.hypot(across, down)
  return diagonal > 0 ? Math.hypot(raster.width, raster.height) / diagonal : 1
}

/** The scale of the weighted kernels: the covered part of the grid, divided by the corresponding part of the level. */
function scaleOf(
  raster: Raster,
  level: RasterLevel,
  exact: ExactTransform,
  box: PixelRectangle | null,
  wholeGrid: PixelRectangle,
): [x: number, y: number] {
  const covered = coveredPart(box, wholeGrid)
  if (!box || !covered) return [1, 1]
  const whole = outward(box)
  const isWhole = Object.entries(covered).every(([side, place]) => whole[side as keyof PixelRectangle] === place)
  const steps = Array.from({ length: probes_per_side + 1 }, (_, step) => step / probes_per_side)
  const inside = steps.flatMap((down) =>
    steps.map((across) =>
      exact(
        covered.left + across * (covered.right - covered.left),
        covered.top + down * (covered.bottom - covered.top),
      ),
    ),
  )
  const raw = isWhole ? null : boxOf(inside.filter(isPlace))
  const limits = { left: 0, top: 0, right: raster.width, bottom: raster.height }
  const source = raw ? (intersect(raw, limits) ?? limits) : limits
  return [
    shrinkage(covered.right - covered.left, ((source.right - source.left) * level.width) / raster.width),
    shrinkage(covered.bottom - covered.top, ((source.bottom - source.top) * level.height) / raster.height),
  ]
}

/** WarpedImage pixels a source pixel; a shrinkage by nearly a whole number is taken as that number. */
function shrinkage(covered: number, pixels: number): number {
  const inverse = pixels / covered
  const whole = Math.round(inverse)
  return whole > 0 && Math.abs(inverse - whole) < 0.05 ? 1 / whole : 1 / inverse
}
