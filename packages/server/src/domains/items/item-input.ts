import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { GeometryRepairBudget } from '@swath/geo/repair-cost.ts'
import { boundsToPolygon, computeLongitudeWidth } from '@swath/geo/bbox.ts'
import { validationProblem, type FieldError } from '../../engine/problem.ts'
import { normalizeTime } from '../../engine/input/normalize-times.ts'
import { parseInstant } from '../../engine/input/instant.ts'
import { computeGeometryBbox, createGeometryBudget, geometryDimension, validateGeometry } from './geometry.ts'
import { normalizeFootprint } from './normalize-footprint.ts'
import { isReservedProperty } from './stac/stac-feature.ts'
import { normalizeExtensionFields } from './stac/import/normalize-extension-fields.ts'
import { normalizeCommonMetadata } from './stac/import/normalize-common-metadata.ts'

/** The validated geometry of an item. */
export interface ItemGeometry {
  readonly geometry: Geometry | null
  readonly dimension: 0 | 1 | 2 | null
  readonly bbox: readonly number[] | null
}

type Box = readonly [west: number, south: number, east: number, north: number]

/** A box as a polygon; two if it crosses the antimeridian. */
export const boxToPolygon = (box: Box): Geometry => boundsToPolygon(box) as unknown as Geometry

function bboxError(box: readonly number[]): string | null {
  const [west, south, east, north] = box as Box
  if (!box.every((number) => Number.isFinite(number))) return 'has a value that is not a finite number'
  if (Math.abs(west) > 180 || Math.abs(east) > 180) return 'has a longitude outside ±180 degrees'
  if (Math.abs(south) > 90 || Math.abs(north) > 90) return 'has a latitude outside ±90 degrees'
  return south > north ? 'has a south greater than its north' : null
}

/** A ten-thousandth of a degree: the rounding error of bboxes in source catalogues. */
const tolerance_degrees = 1e-4

/** True if the outer box contains the inner one; either may cross the antimeridian. */
function containsBox(outer: Box, inner: Box): boolean {
  if (inner[1] < outer[1] - tolerance_degrees || inner[3] > outer[3] + tolerance_degrees) return false
  const from = (((inner[0] - outer[0] + tolerance_degrees) % 360) + 360) % 360
  return (
    computeLongitudeWidth(outer) >= 360 - tolerance_degrees ||
    from + computeLongitudeWidth(inner) <= computeLongitudeWidth(outer) + 2 * tolerance_degrees
  )
}

/**
 * The geometry of an item from the input: the box is computed from the geometry, or the geometry from the box, so that
 * a spatial search finds both. A geometry that crosses the antimeridian is split there; a box in the input must contain
 * it. Errors are added to the list.
 */
export function parseItemGeometry(
  input: unknown,
  bbox: readonly number[] | null,
  errors: FieldError[],
  budget: GeometryRepairBudget = createGeometryBudget(),
): ItemGeometry {
  const geometry = normalizeFootprint(input, bbox)
  const noGeometry: ItemGeometry = { geometry: null, dimension: null, bbox: null }
  const geometryError = geometry === null ? null : validateGeometry(geometry, 'geometry', budget)
  const boxError = bbox === null ? null : bboxError(bbox)
  if (geometryError) errors.push(geometryError)
  if (boxError) errors.push({ path: 'bbox', message: boxError })
  if (geometryError || boxError) return noGeometry
  if (geometry === null) {
    if (bbox === null) return noGeometry
    const area = boxToPolygon(bbox as Box)
    return { geometry: area, dimension: 2, bbox }
  }
  const validGeometry = geometry as Geometry
  const geometryBox = computeGeometryBbox(validGeometry)
  if (bbox !== null && !containsBox(bbox as Box, geometryBox))
    errors.push({ path: 'bbox', message: 'does not contain the geometry' })
  return { geometry: validGeometry, dimension: geometryDimension(validGeometry), bbox: bbox ?? geometryBox }
}

/** The validated acquisition times of an item. */
export interface ItemTimes {
  readonly datetime: Date | null
  readonly start_datetime: Date | null
  readonly end_datetime: Date | null
}

export function parseItemTime(value: unknown, path: string, errors: FieldError[]): Date | null {
  if (value === null || value === undefined) return null
  const edge = path.startsWith('end') ? 'end' : 'start'
  const instant = typeof value === 'string' ? parseInstant(normalizeTime(value, edge)) : null
  if (!instant) errors.push({ path, message: 'is not an RFC 3339 time in the years 0001 to 9999' })
  return instant
}

/** STAC has no interval with one end: both or neither, in order. */
export function parseItemTimes(
  input: { readonly [name in keyof ItemTimes]?: unknown },
  errors: FieldError[],
): ItemTimes {
  const before = errors.length
  const datetime = parseItemTime(input.datetime, 'datetime', errors)
  const start_datetime = parseItemTime(input.start_datetime, 'start_datetime', errors)
  const end_datetime = parseItemTime(input.end_datetime, 'end_datetime', errors)
  if (errors.length > before) return { datetime, start_datetime, end_datetime }
  if ((start_datetime === null) !== (end_datetime === null)) {
    const path = start_datetime === null ? 'start_datetime' : 'end_datetime'
    errors.push({ path, message: 'is required with the other end of the interval' })
  } else if (start_datetime !== null && end_datetime !== null && start_datetime > end_datetime) {
    errors.push({ path: 'end_datetime', message: 'is before start_datetime' })
  }
  return { datetime, start_datetime, end_datetime }
}

/** Schema URLs without duplicates. */
export function parseExtensionUrls(input: readonly string[], errors: FieldError[]): string[] {
  input.forEach((extension, index) => {
    const url = URL.canParse(extension) ? new URL(extension) : null
    if (!url || !['http:', 'https:'].includes(url.protocol)) {
      errors.push({ path: `stac_extensions.${index}`, message: 'is not an http URL of a schema' })
    }
  })
  return [...new Set(input)]
}

/** Times that are stored in columns and added to a Feature from them. */
const columnProperties: ReadonlySet<string> = new Set([
  'datetime',
  'start_datetime',
  'end_datetime',
  'created',
  'updated',
])

/**
 * Properties to store. Reserved properties are dropped rather than rejected, because an exported Feature that is
 * imported again contains them; so are times, which have their own fields. A value that STAC or an extension that we
 * write does not allow is an error: the item's Feature would violate its schema.
 */
export function parseItemProperties(
  input: Readonly<Record<string, unknown>>,
  errors: FieldError[],
): Record<string, unknown> {
  const settableProperties = Object.entries(input).filter(
    ([name]) => !isReservedProperty(name) && !columnProperties.has(name),
  )
  const properties = Object.fromEntries(settableProperties)
  const normalized = { ...properties }
  normalizeExtensionFields(normalized)
  normalizeCommonMetadata(normalized)
  for (const name in properties) {
    if (!Object.hasOwn(normalized, name)) {
      errors.push({ path: `properties.${name}`, message: 'has a value that STAC does not allow' })
    }
  }
  return normalized
}

/** The number in a property, for the searchable column; null if it is not a number within the bounds. */
export function readNumberProperty(
  properties: Readonly<Record<string, unknown>>,
  name: string,
  [low, high]: readonly [number, number],
) {
  const value = properties[name]
  return typeof value === 'number' && value >= low && value <= high ? value : null
}

export function throwIfFieldErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw validationProblem(errors)
}
