import { applyAffine } from '@swath/geo/affine.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { RasterFailure } from '../../failures.ts'
import type { Crs, Raster } from '../../types.ts'
import { computeLonLatExtent, createDegreesToPixel, createPixelToDegrees, isPole, isWholeTurn } from './extent.ts'
import { findProjectionDomain, isInRange } from './projection-domain.ts'
import type { LonLatRange, ProjectionDomain } from './projection-domain.ts'
import { createCrsTransform } from './transform.ts'
import { findLongitudeCount, unwrapNear } from './longitude-wrap.ts'
import type { LongitudeCount } from './longitude-wrap.ts'

export type PlanePosition = readonly [x: number, y: number]

/** A part of a raster in pixels, which need not be whole. */
export interface PixelPart {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A raster seen from another reference system: both ways between its pixels and that system, NaN where there is none. */
export interface ProjectedRaster {
  /** The part of the raster that has a place in the system. */
  readonly part: PixelPart
  /** Which part that is, after "only the part of the image"; null where it is the whole raster. */
  readonly cut: string | null
  readonly toTarget: (column: number, row: number) => PlanePosition
  readonly toPixel: (x: number, y: number) => PlanePosition
  /** Places in the system of the outline of the range to which the raster is cut, as far as they lie in the raster. */
  readonly cutOutline: readonly PlanePosition[]
  /** The x of the whole map, where the raster reaches once around the earth in a system that counts longitude. */
  readonly wholeTurn: readonly [left: number, right: number] | null
  /** The y of a pole inside of the raster, where that is a line in the system. */
  readonly poleY: number | null
}

const probes_per_side = 64
/** Points of the outline of a range: a quarter of a degree on a parallel. */
const outline_steps = 1440

/**
 * How a raster lies in another reference system. A raster across the 180° meridian stays in one piece where x counts
 * longitude, and is counted on from the usual range; one that runs to infinity is cut (`findProjectionDomain`).
 *
 * @param checked true where positions of a projection that its inverse does not confirm do not count.
 * @throws RasterFailure `no_georeference` where the raster has no place in the system.
 */
export function projectRaster(raster: Raster, crs: Crs, checked = false): ProjectedRaster {
  const degrees = createPixelToDegrees(raster)
  const forward = createForward(raster, crs)
  const whole = wholePart(raster)
  const domain = findExceededDomain(raster, crs, whole, degrees)
  const toPixel = createInverse(raster, crs)
  const plain = (column: number, row: number): PlanePosition => {
    const [longitude, latitude] = degrees(column, row)
    if (domain && !isInRange(domain.part, longitude, latitude)) return nowhere
    return forward(longitude, latitude)
  }
  const places = { toTarget: plain, toPixel }
  const toTarget = checked ? createCheckedForward(places, raster) : plain
  const inverse = checked ? createCheckedInverse(places, crs) : toPixel
  const outline = domain ? listOutlineInside(raster, domain.part, whole) : []
  return {
    part: domain ? partInside(whole, outline, degrees, domain) : whole,
    cut: domain?.name ?? null,
    toTarget,
    toPixel: inverse,
    cutOutline: outline.map(({ degrees: [longitude, latitude] }) => forward(longitude, latitude)),
    ...findWholeTurn(raster, crs, domain),
  }
}

const nowhere: PlanePosition = [Number.NaN, Number.NaN]

/** The raster without what reaches beyond the poles. */
function wholePart(raster: Raster): PixelPart {
  const { width, height, affine, crs } = raster
  const whole = { left: 0, top: 0, right: width, bottom: height }
  if (!crs.geographic || affine[4] !== 0) return whole
  const rowOf = (latitude: number): number => (latitude - affine[3]) / affine[5]
  const [first, last] = [Math.min(rowOf(90), rowOf(-90)), Math.max(rowOf(90), rowOf(-90))]
  const isSmall = first <= 1 && last >= height - 1
  return isSmall ? { ...whole, top: Math.max(0, first), bottom: Math.min(height, last) } : whole
}

type DegreesOf = ReturnType<typeof createPixelToDegrees>

function listProbes({ left, top, right, bottom }: PixelPart): PlanePosition[] {
  const steps = Array.from({ length: probes_per_side + 1 }, (_, step) => step / probes_per_side)
  return steps.flatMap((down) =>
    steps.map((across): PlanePosition => [left + across * (right - left), top + down * (bottom - top)]),
  )
}

/** The domain of the projection, if the raster reaches farther. */
function findExceededDomain(raster: Raster, crs: Crs, whole: PixelPart, degrees: DegreesOf): ProjectionDomain | null {
  const domain = findProjectionDomain(crs)
  if (!domain) return null
  const [south, north] = domain.latitudes
  const extent = computeLonLatExtent(raster)
  // A hair, for what rounding adds at the very edge.
  const isFar = (latitude: number): boolean => latitude < south - 1e-7 || latitude > north + 1e-7
  if (!isFar(extent.south) && !isFar(extent.north)) return null
  const exceeds = isFar(poleOr(extent.south)) || isFar(poleOr(extent.north))
  return exceeds || listProbes(whole).some((place) => isFar(degrees(...place)[1])) ? domain : null
}

const poleOr = (latitude: number): number => Math.max(-90, Math.min(90, latitude))

interface OutlinePlace {
  readonly degrees: PlanePosition
  readonly pixel: PlanePosition
}

/** Places along the outline of a range that lie in a raster. */
function listOutlineInside(
  raster: Raster,
  { west, south, east, north }: LonLatRange,
  whole: PixelPart,
): OutlinePlace[] {
  const steps = Array.from({ length: outline_steps + 1 }, (_, step) => step / outline_steps)
  const parallels = steps.flatMap((part) => [south, north].map((y): PlanePosition => [west + part * (east - west), y]))
  const sides = east - west >= 360 ? [] : [west, east]
  const meridians = steps.flatMap((part) => sides.map((x): PlanePosition => [x, south + part * (north - south)]))
  const toPixel = createDegreesToPixel(raster)
  return [...parallels, ...meridians].flatMap((place) => {
    const [column, row] = toPixel(...place)
    const isInside =
      column >= whole.left - 1e-6 &&
      column <= whole.right + 1e-6 &&
      row >= whole.top - 1e-6 &&
      row <= whole.bottom + 1e-6
    return isInside ? [{ degrees: place, pixel: [column, row] as const }] : []
  })
}

/** The box in pixels around the places of a raster that lie in a range. */
function partInside(
  whole: PixelPart,
  outline: readonly OutlinePlace[],
  degrees: DegreesOf,
  domain: ProjectionDomain,
): PixelPart {
  const inside = listProbes(whole).filter((place) => isInRange(domain.part, ...degrees(...place)))
  const pixels = [...inside, ...outline.map(({ pixel }) => pixel)]
  const [left, top, right, bottom] = coordinateExtent(pixels)
  const part = {
    left: Math.max(whole.left, left),
    top: Math.max(whole.top, top),
    right: Math.min(whole.right, right),
    bottom: Math.min(whole.bottom, bottom),
  }
  if (part.left < part.right && part.top < part.bottom) return part
  throw new RasterFailure('no_georeference', `no part of the image lies ${domain.name}`)
}

/** From degrees to a system; where x counts longitude, as it counts in the raster once that begins in the usual range. */
function createForward(raster: Raster, crs: Crs): (longitude: number, latitude: number) => PlanePosition {
  const { forward } = createCrsTransform(crs)
  const count = findLongitudeCount(crs)
  if (!count) return forward
  const extent = computeLonLatExtent(raster)
  const middle = isWholeTurn(extent) ? count.middle : middleOf(extent, count)
  const hasPoints = findLongitudeCount(raster.crs) === null
  return (longitude, latitude) => {
    const [x, y] = forward(longitude, latitude)
    // A pole that is one point of the raster has any longitude.
    return [hasPoints && isPole([longitude, latitude]) ? middle : unwrapNear(middle, x, count.turn), y]
  }
}

/** The x of the middle of an extent whose west lies in the usual range. */
function middleOf({ west, east }: LonLatRange, { turn, middle, longitude }: LongitudeCount): number {
  const toX = (degrees: number): number => middle + ((degrees - longitude) / 360) * turn
  const left = toX(west)
  const first = middle - turn / 2
  const shift = turn * Math.floor((left - first) / turn + 1e-9)
  return (left + toX(east)) / 2 - shift
}

function createInverse(raster: Raster, crs: Crs): (x: number, y: number) => PlanePosition {
  const { inverse } = createCrsTransform(crs)
  const toPixel = createDegreesToPixel(raster)
  return (x, y) => toPixel(...inverse(x, y))
}

interface Places {
  readonly toTarget: (column: number, row: number) => PlanePosition
  readonly toPixel: (x: number, y: number) => PlanePosition
}

/** As GDAL checks a projection by its inverse: within a tenth of a degree, or ten kilometres. */
const invertedTolerance = { degrees: 0.1, metres: 10_000 } as const
const toleranceOf = ({ geographic }: Crs): number => (geographic ? invertedTolerance.degrees : invertedTolerance.metres)

function createCheckedForward({ toTarget, toPixel }: Places, raster: Raster): Places['toTarget'] {
  const tolerance = toleranceOf(raster.crs)
  return (column, row) => {
    const place = toTarget(column, row)
    const [x, y] = applyAffine(raster.affine, column, row)
    const [backX, backY] = applyAffine(raster.affine, ...toPixel(...place))
    return Math.abs(backX - x) <= tolerance && Math.abs(backY - y) <= tolerance ? place : nowhere
  }
}

function createCheckedInverse({ toTarget, toPixel }: Places, crs: Crs): Places['toPixel'] {
  const tolerance = toleranceOf(crs)
  return (x, y) => {
    const pixel = toPixel(x, y)
    const [backX, backY] = toTarget(...pixel)
    return Math.abs(backX - x) <= tolerance && Math.abs(backY - y) <= tolerance ? pixel : nowhere
  }
}

/** The whole width of a map, for a raster once around the earth, and the edge of the map at a pole inside of the raster. */
function findWholeTurn(
  raster: Raster,
  crs: Crs,
  domain: ProjectionDomain | null,
): Pick<ProjectedRaster, 'wholeTurn' | 'poleY'> {
  const count = findLongitudeCount(crs)
  const extent = computeLonLatExtent(raster)
  if (!count || !isWholeTurn(extent) || (domain && domain.part.east - domain.part.west < 360))
    return { wholeTurn: null, poleY: null }
  const enclosed = findLongitudeCount(raster.crs) === null && !extent.reachesHorizon
  const pole = enclosed && extent.north === 90 ? 90 : enclosed && extent.south === -90 ? -90 : null
  const latitude = pole === null || !domain ? pole : Math.max(domain.part.south, Math.min(domain.part.north, pole))
  return {
    wholeTurn: [count.middle - count.turn / 2, count.middle + count.turn / 2],
    poleY: latitude === null ? null : createCrsTransform(crs).forward(count.longitude, latitude)[1],
  }
}
