import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { polygonOfBounds, widthOf } from '@swath/geo/bbox.ts'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import { spellTime } from '../../engine/spell-times.ts'
import { readInstant } from './datetime.ts'
import { boxOf, dimensionOf, geometryFault } from './geometry.ts'
import { normalizeFootprint } from './normalize-footprint.ts'
import { isReserved } from './stac-feature.ts'
import { fitFields } from './stac-in/fields.ts'
import { fitCommon } from './stac-in/fit-common.ts'

/** The validated geometry of an item. */
export interface Place {
  readonly geometry: Geometry | null
  readonly dimension: 0 | 1 | 2 | null
  readonly bbox: readonly number[] | null
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** A box as a polygon; two if it crosses the antimeridian. */
export const areaOf = (box: Box): Geometry => polygonOfBounds(box) as unknown as Geometry

function boxFault(box: readonly number[]): string | null {
  const [west, south, east, north] = box as Box
  if (!box.every((number) => Number.isFinite(number))) return 'has a value that is not a finite number'
  if (Math.abs(west) > 180 || Math.abs(east) > 180) return 'has a longitude outside ±180 degrees'
  if (Math.abs(south) > 90 || Math.abs(north) > 90) return 'has a latitude outside ±90 degrees'
  return south > north ? 'has a south greater than its north' : null
}

/** A ten-thousandth of a degree: the rounding error of bboxes in source catalogues. */
const tolerance = 1e-4

/** True if the outer box contains the inner one; either may cross the antimeridian. */
function holds(outer: Box, inner: Box): boolean {
  if (inner[1] < outer[1] - tolerance || inner[3] > outer[3] + tolerance) return false
  const from = (((inner[0] - outer[0] + tolerance) % 360) + 360) % 360
  return widthOf(outer) >= 360 - tolerance || from + widthOf(inner) <= widthOf(outer) + 2 * tolerance
}

/**
 * The geometry of an item from the input: the box is computed from the geometry, or the geometry from the box, so that
 * a spatial search finds both. A geometry that crosses the antimeridian is split there; a given box must contain it.
 * Errors are added to the list.
 */
export function readPlace(given: unknown, bbox: readonly number[] | null, faults: Fault[]): Place {
  const geometry = normalizeFootprint(given, bbox)
  const none: Place = { geometry: null, dimension: null, bbox: null }
  const fault = geometry === null ? null : geometryFault(geometry)
  const bad = bbox === null ? null : boxFault(bbox)
  if (fault) faults.push(fault)
  if (bad) faults.push({ path: 'bbox', message: bad })
  if (fault || bad) return none
  if (geometry === null) {
    if (bbox === null) return none
    const area = areaOf(bbox as Box)
    return { geometry: area, dimension: 2, bbox }
  }
  const shape = geometry as Geometry
  const own = boxOf(shape)
  if (bbox !== null && !holds(bbox as Box, own)) faults.push({ path: 'bbox', message: 'does not contain the geometry' })
  return { geometry: shape, dimension: dimensionOf(shape), bbox: bbox ?? own }
}

/** The validated acquisition times of an item. */
export interface Times {
  readonly datetime: Date | null
  readonly start_datetime: Date | null
  readonly end_datetime: Date | null
}

export function readTime(value: unknown, path: string, faults: Fault[]): Date | null {
  if (value === null || value === undefined) return null
  const edge = path.startsWith('end') ? 'end' : 'start'
  const instant = typeof value === 'string' ? readInstant(spellTime(value, edge)) : null
  if (!instant) faults.push({ path, message: 'is not an RFC 3339 time in the years 0001 to 9999' })
  return instant
}

/** STAC has no interval with one end: both or neither, in order. */
export function readTimes(given: { readonly [name in keyof Times]?: unknown }, faults: Fault[]): Times {
  const before = faults.length
  const datetime = readTime(given.datetime, 'datetime', faults)
  const start_datetime = readTime(given.start_datetime, 'start_datetime', faults)
  const end_datetime = readTime(given.end_datetime, 'end_datetime', faults)
  if (faults.length > before) return { datetime, start_datetime, end_datetime }
  if ((start_datetime === null) !== (end_datetime === null)) {
    const path = start_datetime === null ? 'start_datetime' : 'end_datetime'
    faults.push({ path, message: 'is required with the other end of the interval' })
  } else if (start_datetime !== null && end_datetime !== null && start_datetime > end_datetime) {
    faults.push({ path: 'end_datetime', message: 'is before start_datetime' })
  }
  return { datetime, start_datetime, end_datetime }
}

/** Schema URLs without duplicates. */
export function readExtensions(given: readonly string[], faults: Fault[]): string[] {
  given.forEach((address, index) => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (!url || !['http:', 'https:'].includes(url.protocol)) {
      faults.push({ path: `stac_extensions.${index}`, message: 'is not an http URL of a schema' })
    }
  })
  return [...new Set(given)]
}

/** Times that are stored in columns and added to a Feature from them. */
const ofColumns: ReadonlySet<string> = new Set(['datetime', 'start_datetime', 'end_datetime', 'created', 'updated'])

/**
 * Properties to store. Reserved properties are dropped rather than rejected, because a Feature of ours that is imported
 * again contains them; so are times, which have their own fields. A value that STAC or an extension that we write does not
 * allow is an error: the item's Feature would violate its schema.
 */
export function readProperties(given: Readonly<Record<string, unknown>>, faults: Fault[]): Record<string, unknown> {
  const kept = Object.entries(given).filter(([name]) => !isReserved(name) && !ofColumns.has(name))
  const properties = Object.fromEntries(kept)
  const fitted = { ...properties }
  fitFields(fitted)
  fitCommon(fitted)
  for (const name in properties) {
    if (!Object.hasOwn(fitted, name)) {
      faults.push({ path: `properties.${name}`, message: 'has a value that STAC does not allow' })
    }
  }
  return fitted
}

/** The number in a property, for the searchable column; null if it is not a number within the bounds. */
export function numberIn(properties: Readonly<Record<string, unknown>>, name: string, [low, high]: [number, number]) {
  const value = properties[name]
  return typeof value === 'number' && value >= low && value <= high ? value : null
}

export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw validationProblem(faults)
}
