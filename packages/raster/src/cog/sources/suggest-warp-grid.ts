import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { applyAffine } from '@swath/geo/affine.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { createRasterToGridTransform } from '../../render/warp/warp-grid.ts'
import type { TargetGrid } from '../../render/warp/warp-grid.ts'
import { RasterFailure } from '../../failures.ts'
import type { Crs, Raster } from '../../types.ts'

/** Pixels of the source from one place to the next that are looked up along its edge, and how many steps at most. */
const step_pixels = 50
const stepLimits = { least: 20, most: 100 }

export interface SuggestWarpGridOptions {
  /** Pixel size in units of the reference system; default: the diagonal of the raster keeps its number of pixels. */
  readonly resolution?: number | readonly [x: number, y: number]
}

interface Box {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

/**
 * The north-up grid for a raster in another reference system, as gdalwarp chooses it (GDALSuggestedWarpOutput2): square pixels
 * such that the diagonal has the same number of pixels, the upper left corner at the raster's extreme west and north.
 * Failures: `no_georeference` if the raster cannot be projected, `request` for an invalid resolution.
 */
export function suggestWarpGrid(raster: Raster, crs: Crs, options: SuggestWarpGridOptions = {}): TargetGrid {
  requireGeoreferenced(raster)
  const places = placesAlong(raster, crs)
  const box = boxOf(places)
  const grid = layGrid(crs, box, squareSteps(raster, places, box))
  const steps = stepsOf(options.resolution)
  // As gdalwarp does: other pixels over the extent of the grid that it would have chosen, not over that of the raster.
  return steps ? layGrid(crs, computeGridExtent(grid), steps) : grid
}

function layGrid(crs: Crs, { left, bottom, right, top }: Box, [stepX, stepY]: readonly [number, number]): TargetGrid {
  const width = Math.max(1, Math.floor((right - left) / stepX + 0.5))
  const height = Math.max(1, Math.floor((top - bottom) / stepY + 0.5))
  return { crs, affine: [left, stepX, 0, top, 0, -stepY], width, height }
}

/** The extent of a raster in another reference system. */
export function computeExtentInCrs(raster: Raster, crs: Crs): Box {
  return boxOf(placesAlong(raster, crs))
}

type Place = readonly [x: number, y: number]

/** Places of the raster in the reference system: along its edge, and inside too where part of the edge is nowhere. */
function placesAlong(raster: Raster, crs: Crs): Place[] {
  const { width, height } = raster
  const steps = Math.min(
    stepLimits.most,
    Math.max(stepLimits.least, Math.floor(Math.min(width, height) / step_pixels + 0.5)),
  )
  const parts = Array.from({ length: steps + 1 }, (_, step) => step / steps)
  const toCrs = createRasterToGridTransform(raster, { crs, affine: unitAffine, width: 0, height: 0 })
  const edge = [
    ...parts.map((part) => toCrs(part * width, 0)),
    ...parts.map((part) => toCrs(part * width, height)),
    ...parts.map((part) => toCrs(0, part * height)),
    ...parts.map((part) => toCrs(width, part * height)),
  ]
  if (edge.every(isPlace)) return edge
  const inside = parts.flatMap((down) => parts.map((across) => toCrs(across * width, down * height)))
  return [...edge, ...inside].filter(isPlace)
}

/** A grid whose pixels are the units of the reference system themselves. */
const unitAffine = [0, 1, 0, 0, 0, 1] as const

function isPlace([x, y]: Place): boolean {
  return Number.isFinite(x) && Number.isFinite(y)
}

function boxOf(places: readonly Place[]): Box {
  if (places.length === 0)
    throw new RasterFailure('no_georeference', 'the file has no place in the reference system that was asked for')
  const [left, bottom, right, top] = coordinateExtent(places)
  return { left, bottom, right, top }
}

function stepsOf(resolution: SuggestWarpGridOptions['resolution']): readonly [number, number] | null {
  if (resolution === undefined) return null
  const steps = typeof resolution === 'number' ? ([resolution, resolution] as const) : resolution
  if (!steps.every((step) => Number.isFinite(step) && step > 0))
    throw new RasterFailure('request', 'a resolution is a number above zero')
  return steps
}

/** From the upper left corner to the lower right one; where that says nothing, across the box. */
function squareSteps({ width, height }: Raster, places: readonly Place[], box: Box): [number, number] {
  const [first, last] = [places[0]!, places.at(-1)!]
  let [across, down] = [last[0] - first[0], last[1] - first[1]]
  if (across === 0 || down === 0) [across, down] = [box.right - box.left, box.top - box.bottom]
  const step = Math.hypot(across, down) / Math.hypot(width, height)
  return [step, step]
}

/** The grid of a raster itself. */
export function toRasterGrid({ crs, affine, width, height }: Raster): TargetGrid {
  return { crs, affine, width, height }
}

/** The corners of a grid as an upright box, in units of its reference system. */
export function computeGridExtent({ affine, width, height }: TargetGrid): Box {
  return boxOf([
    applyAffine(affine, 0, 0),
    applyAffine(affine, width, 0),
    applyAffine(affine, 0, height),
    applyAffine(affine, width, height),
  ])
}
