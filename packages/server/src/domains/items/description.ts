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

/** Where an item lies, checked. */
export interface Place {
  readonly geometry: Geometry | null
  readonly dimension: 0 | 1 | 2 | null
  readonly bbox: readonly number[] | null
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** A box as an area; two where it crosses the antimeridian. */
export const areaOf = (box: Box): Geometry => polygonOfBounds(box) as unknown as Geometry

function boxFault(box: readonly number[]): string | null {
  const [west, south, east, north] = box as Box
  if (!box.every((number) => Number.isFinite(number))) return 'has a number that is none'
  if (Math.abs(west) > 180 || Math.abs(east) > 180) return 'has a longitude outside ±180 degrees'
  if (Math.abs(south) > 90 || Math.abs(north) > 90) return 'has a latitude outside ±90 degrees'
  return south > north ? 'has its south north of its north' : null
}

/** A ten-thousandth of a degree: what givers of boxes round off. */
const tolerance = 1e-4

/** True when the outer box holds the inner one; either may cross the antimeridian. */
function holds(outer: Box, inner: Box): boolean {
  if (inner[1] < outer[1] - tolerance || inner[3] > outer[3] + tolerance) return false
  const from = (((inner[0] - outer[0] + tolerance) % 360) + 360) % 360
  return widthOf(outer) >= 360 - tolerance || from + widthOf(inner) <= widthOf(outer) + 2 * tolerance
}

/**
 * Where an item lies by what its giver says: the box is told from the geometry, or the geometry from the box, so that a
 * search by place finds both. A geometry that crosses the antimeridian is cut there; a given box must hold it. Faults are
 * added to the list.
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
  if (bbox !== null && !holds(bbox as Box, own)) faults.push({ path: 'bbox', message: 'does not hold the geometry' })
  return { geometry: shape, dimension: dimensionOf(shape), bbox: bbox ?? own }
}

/** When an item was taken, checked. */
export interface Times {
  readonly datetime: Date | null
  readonly start_datetime: Date | null
  readonly end_datetime: Date | null
}

export function readTime(value: unknown, path: string, faults: Fault[]): Date | null {
  if (value === null || value === undefined) return null
  const edge = path.startsWith('end') ? 'end' : 'start'
  const instant = typeof value === 'string' ? readInstant(spellTime(value, edge)) : null
  if (!instant) faults.push({ path, message: 'is no time of RFC 3339 in the years 0001 to 9999' })
  return instant
}

/** STAC knows no span with one end: both or neither, in order. */
export function readTimes(given: { readonly [name in keyof Times]?: unknown }, faults: Fault[]): Times {
  const before = faults.length
  const datetime = readTime(given.datetime, 'datetime', faults)
  const start_datetime = readTime(given.start_datetime, 'start_datetime', faults)
  const end_datetime = readTime(given.end_datetime, 'end_datetime', faults)
  if (faults.length > before) return { datetime, start_datetime, end_datetime }
  if ((start_datetime === null) !== (end_datetime === null)) {
    const path = start_datetime === null ? 'start_datetime' : 'end_datetime'
    faults.push({ path, message: 'is required beside the other end of the span' })
  } else if (start_datetime !== null && end_datetime !== null && start_datetime > end_datetime) {
    faults.push({ path: 'end_datetime', message: 'lies before start_datetime' })
  }
  return { datetime, start_datetime, end_datetime }
}

/** Addresses of schemas, each once. */
export function readExtensions(given: readonly string[], faults: Fault[]): string[] {
  given.forEach((address, index) => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (!url || !['http:', 'https:'].includes(url.protocol)) {
      faults.push({ path: `stac_extensions.${index}`, message: 'is no http address of a schema' })
    }
  })
  return [...new Set(given)]
}

/** Times that columns hold, and that a Feature says from them. */
const ofColumns: ReadonlySet<string> = new Set(['datetime', 'start_datetime', 'end_datetime', 'created', 'updated'])

/**
 * Properties as they are stored. What we alone say is dropped rather than refused, since a Feature of ours that comes
 * back in carries it, and so are times, which have fields of their own. What STAC and the extensions that we write would not
 * take under its name is a fault: the item's Feature would break its schema.
 */
export function readProperties(given: Readonly<Record<string, unknown>>, faults: Fault[]): Record<string, unknown> {
  const kept = Object.entries(given).filter(([name]) => !isReserved(name) && !ofColumns.has(name))
  const properties = Object.fromEntries(kept)
  const fitted = { ...properties }
  fitFields(fitted)
  fitCommon(fitted)
  for (const name in properties) {
    if (!Object.hasOwn(fitted, name)) {
      faults.push({ path: `properties.${name}`, message: 'has a value that STAC does not take there' })
    }
  }
  return fitted
}

/** The number that a property holds, for the column that is searched; null where it is none within the bounds. */
export function numberIn(properties: Readonly<Record<string, unknown>>, name: string, [low, high]: [number, number]) {
  const value = properties[name]
  return typeof value === 'number' && value >= low && value <= high ? value : null
}

export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw validationProblem(faults)
}
