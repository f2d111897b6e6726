import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { RasterFailure, areaOutsideReason } from '../../failures.ts'
import { checkWindow } from '../window/window.ts'
import type { RasterLevel, Raster } from '../../types.ts'
import { max_counted_classes } from './class-counts.ts'
import { type AreaEdges, findEdgeColumns, buildAreaEdges, findAreaRows } from '../areas/edges.ts'
import { findLevelWithinBudget } from './level-within-budget.ts'
import { type MeasuredWindow, checkMeasurementRequest, measureRasterWindow } from './measure-window.ts'
import type { RasterStatisticsOptions, RasterStatistics } from './measures.ts'
import {
  type AreaCoordinates,
  type OutlineRing,
  computeRingAreaInPixels,
  toOutlineRings,
  projectOutlineToPixels,
  createDegreesToLevelPixels,
  createCrsToLevelPixels,
} from '../areas/outline.ts'
import { findCoarsestLevel } from './raster-statistics.ts'
import { type PolygonZone, planZonePieces } from './zone-pieces.ts'

/**
 * The indexes of areas in the order of the blocks in which they begin, row of blocks by row of blocks; areas without a position
 * come last.
 */
export function sortAreasByBlock(
  raster: Raster,
  areas: readonly (readonly OutlineRing[])[],
  coordinates: AreaCoordinates,
): number[] {
  const level = raster.levels[0]!
  const toPixels = (coordinates === 'raster' ? createCrsToLevelPixels : createDegreesToLevelPixels)(raster, level)
  const [width, height] = level.block
  const across = Math.ceil(level.width / width) + 1
  const keys = areas.map(([ring]) => {
    const [x, y] = toPixels(ring?.points[0] ?? Number.NaN, ring?.points[1] ?? Number.NaN)
    const key = Math.floor(y / height) * across + Math.min(across - 1, Math.max(0, Math.floor(x / width)))
    return Number.isFinite(key) ? key : Number.MAX_VALUE
  })
  return areas.map((_, at) => at).sort((a, b) => keys[a]! - keys[b]!)
}

export interface ZonalStatisticsRequest extends RasterStatisticsOptions {
  /** Default `degrees`: longitude and latitude. */
  readonly coordinates?: AreaCoordinates
  /**
   * Weights each pixel by its fraction inside the area, instead of including whole pixels by their centres. Percentiles are
   * then weighted: the smallest value up to which that share of the weight lies.
   */
  readonly coverage?: boolean
}

/**
 * Statistics of the pixels of a raster inside an area. A pixel counts where its centre lies inside by the even-odd rule over
 * the rings of a polygon, as in gdal_rasterize; polygons that overlap are united. Only blocks that the area touches are read. `valid_percent` is of the pixels of the
 * raster inside the area. Failures: `outside` where the area does not reach the raster, `no_georeference`, and those of
 * rasterStatistics.
 */
export const computeZonalStatistics = async (
  raster: Raster,
  area: AreaGeometry,
  request: ZonalStatisticsRequest = {},
): Promise<RasterStatistics> => measureRings(raster, toOutlineRings(area), request)

async function measureRings(
  raster: Raster,
  rings: readonly OutlineRing[],
  request: ZonalStatisticsRequest,
): Promise<RasterStatistics> {
  checkMeasurementRequest(raster, request)
  const asked = request.level ?? 0
  checkWindow(raster, asked, [0, 0, 1, 1], request.bands ?? [0])
  const wanted = request.approximate_pixels === undefined ? asked : chooseLevel(raster, rings, request).index
  const zones = new Map<number, PolygonZone>()
  const zoneOn = (index: number): PolygonZone => {
    const zone = zones.get(index) ?? createZone(raster, raster.levels[index]!, rings, request)
    zones.set(index, zone)
    return zone
  }
  const zone = zoneOn(findLevelWithinBudget(raster, wanted, request, (index) => zoneOn(index).window))
  const bands = await measureRasterWindow(raster, measuredAreaOf(zone), request)
  const { index } = zone.level
  return { level: index, approximate: request.level === undefined && index > 0, window: zone.window, bands }
}

function createZone(
  raster: Raster,
  level: RasterLevel,
  rings: readonly OutlineRing[],
  request: ZonalStatisticsRequest,
): PolygonZone {
  const edges = buildAreaEdges(projectOutlineToPixels(raster, level, rings, request.coordinates ?? 'degrees'))
  return { level, edges, window: windowOf(edges, level), covered: request.coverage === true }
}

export interface AreasStatisticsRequest extends ZonalStatisticsRequest {
  /** The rings of each area (`toOutlineRings`). */
  readonly areas: readonly (readonly OutlineRing[])[]
}

/**
 * Statistics of each of some areas, in their order; null for an area that does not reach the raster. They are
 * measured block by block, so that each block is decoded once where the thread has a block cache. Failures: those of computeZonalStatistics, except `outside`; `request`
 * once the classes of all bands of all areas are more than 65,536 together.
 */
export async function computeStatisticsOfAreas(
  raster: Raster,
  { areas, ...request }: AreasStatisticsRequest,
): Promise<(RasterStatistics | null)[]> {
  const measured: (RasterStatistics | null)[] = areas.map(() => null)
  let classes = 0
  for (const at of sortAreasByBlock(raster, areas, request.coordinates ?? 'degrees')) {
    const found = await measureArea(raster, areas[at]!, request)
    classes += countClasses(found)
    if (classes > max_counted_classes) {
      throw new RasterFailure('request', `the areas have more than ${max_counted_classes} different values to count`)
    }
    measured[at] = found
  }
  return measured
}

const countClasses = (measured: RasterStatistics | null): number =>
  measured?.bands.reduce((sum, { classes }) => sum + (classes?.length ?? 0), 0) ?? 0

async function measureArea(
  raster: Raster,
  rings: readonly OutlineRing[],
  request: ZonalStatisticsRequest,
): Promise<RasterStatistics | null> {
  try {
    return await measureRings(raster, rings, request)
  } catch (error) {
    if (error instanceof RasterFailure && error.kind === 'outside') return null
    throw error
  }
}

function measuredAreaOf(zone: PolygonZone): MeasuredWindow {
  const [x0, y0, x1, y1] = zone.window
  const size = (x1 - x0) * (y1 - y0)
  return { level: zone.level, weighted: zone.covered, size, pieces: (pixels) => planZonePieces(zone, pixels) }
}

function chooseLevel(raster: Raster, rings: readonly OutlineRing[], request: ZonalStatisticsRequest): RasterLevel {
  const outline = projectOutlineToPixels(raster, raster.levels[0]!, rings, request.coordinates ?? 'degrees')
  return raster.levels[findCoarsestLevel(raster, computeRingAreaInPixels(outline), request.approximate_pixels!)]!
}

/** The box of pixels that an area reaches; `outside` where it reaches none. */
function windowOf(edges: AreaEdges, level: RasterLevel): RasterStatistics['window'] {
  const [y0, y1] = findAreaRows(edges, level.height)
  const [left, right] = findEdgeColumns(edges)
  const [x0, x1] = [Math.max(0, left), Math.min(level.width, right)]
  if (x0 >= x1 || y0 >= y1) throw new RasterFailure('outside', areaOutsideReason)
  return [x0, y0, x1, y1]
}
