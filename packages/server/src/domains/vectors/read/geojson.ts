import { isGeometryType } from '@swath/geo/geometry-types.ts'
import { createTooManyFieldsFailure } from './fields.ts'
import { takeUniqueName, type TakenNames } from '../../../engine/input/unique-name.ts'
import { describeRepeatedName } from './repeated-names.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'
import { listJsonElements, listJsonMembers, findJsonValueAt, parseJsonSpan, type JsonSpan } from './json-spans.ts'
import type { SourceCrsName, RawFeature, RawFeatures } from './raw-feature.ts'

/**
 * The features of a GeoJSON text (RFC 7946): a FeatureCollection, a Feature, a geometry, or one Feature per line (RFC
 * 8142). Only one feature at a time is parsed. The obsolete member `crs` is supported if it names a system.
 */
export function readGeojson(bytes: Buffer, limits: VectorLimits): RawFeatures {
  const start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0
  // Lines of a sequence may begin with a record separator.
  const first = bytes[start] === 0x1e ? start + 1 : start
  const root = findJsonValueAt(bytes, first)
  if (bytes[root.start] !== 0x7b) throw notGeojsonFailure('it has no features')
  const notes = new Set<string>()
  const members = new Map<string, JsonSpan>()
  for (const { key, ...span } of listJsonMembers(bytes, root)) {
    if (members.has(key)) throw notGeojsonFailure(`the member "${key.slice(0, 40)}" occurs twice`)
    members.set(key, span)
  }
  const type = members.get('type')
  const typeName = type && type.end - type.start < 100 ? parseJsonSpan(bytes, type) : undefined
  const crs = parseCrs(bytes, members.get('crs'))
  if (typeName === 'FeatureCollection') {
    const list = members.get('features')
    if (!list || bytes[list.start] !== 0x5b) throw notGeojsonFailure('a FeatureCollection needs a list "features"')
    return {
      crs,
      notes,
      features: parseFeatures({ bytes, notes, isSingle: false }, listJsonElements(bytes, list), limits),
    }
  }
  if (typeName === 'Feature' || isGeometryType(typeName) || (!type && members.has('geometry')))
    return { crs, notes, features: parseFeatures({ bytes, notes, isSingle: true }, jsonSequence(bytes, first), limits) }
  throw notGeojsonFailure('its "type" is not a GeoJSON type')
}

/** A sequence of JSON values: the lines of a text sequence, or the only value. */
function* jsonSequence(bytes: Buffer, first: number): Generator<JsonSpan> {
  let at = first
  for (;;) {
    while (at < bytes.length && bytes[at]! <= 0x20) at++
    if (at >= bytes.length) return
    const span = findJsonValueAt(bytes, at)
    yield span
    at = span.end
  }
}

interface FeatureText {
  readonly bytes: Buffer
  readonly notes: Set<string>
  readonly isSingle: boolean
}

function* parseFeatures(text: FeatureText, spans: Iterable<JsonSpan>, limits: VectorLimits): Generator<RawFeature> {
  const { bytes, isSingle } = text
  let number = 0
  for (const span of spans) {
    number++
    if (span.end - span.start > limits.feature_bytes) {
      throw new VectorFailure(
        'too_large',
        `Feature ${number} has more than ${limits.feature_bytes} bytes. Simplify or split it.`,
      )
    }
    const feature = toRawFeature(parseJsonSpan(bytes, span), number, isSingle)
    yield { ...feature, properties: keepRepeatedNames(text, span, { limits, properties: feature.properties }) }
  }
}

/** The properties with both values of a name that occurs twice, of which parsing keeps the last one. */
function keepRepeatedNames(
  { bytes, notes }: FeatureText,
  feature: JsonSpan,
  { limits, properties }: { readonly limits: VectorLimits; readonly properties: unknown },
): unknown {
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return properties
  // Parsing keeps the last of several.
  const span = [...listJsonMembers(bytes, feature)].findLast(({ key }) => key === 'properties')
  if (!span) return properties
  const members = [...listJsonMembers(bytes, span)]
  if (members.length === Object.keys(properties).length) return properties
  if (members.length > limits.fields) throw createTooManyFieldsFailure(limits)
  const taken: TakenNames = new Map()
  const entries = members.map(({ key, ...value }) => {
    const name = takeUniqueName(key, taken)
    if (name !== key) notes.add(describeRepeatedName(key, name))
    return [name, parseJsonSpan(bytes, value)] as const
  })
  return Object.fromEntries(entries)
}

function toRawFeature(value: unknown, number: number, isSingle: boolean): RawFeature {
  const { type, id, geometry, properties } = (value ?? {}) as Record<string, unknown>
  // Some scripts omit the type of a single Feature; nothing else has a geometry.
  if (type === 'Feature' || (type === undefined && geometry && isSingle)) {
    return { id, geometry: geometry ?? null, properties: properties ?? null }
  }
  if (isSingle && isGeometryType(type)) return { geometry: value, properties: null }
  throw new VectorFailure('invalid', `Feature ${number} is not a GeoJSON Feature: its "type" must be "Feature".`)
}

/** GeoJSON of 2008 could name a coordinate reference system; since RFC 7946 it is always WGS 84. */
function parseCrs(bytes: Buffer, span: JsonSpan | undefined): SourceCrsName | null {
  if (!span) return null
  const crs = span.end - span.start > 10_000 ? undefined : parseJsonSpan(bytes, span)
  if (crs === null) return null
  const { type, properties } = (crs ?? {}) as { type?: unknown; properties?: { name?: unknown } }
  if (type === 'name' && typeof properties?.name === 'string') return { name: properties.name }
  throw new VectorFailure(
    'no_place',
    'The member "crs" does not name a coordinate reference system. Remove it from data in longitude and latitude.',
  )
}

const notGeojsonFailure = (reason: string): VectorFailure =>
  new VectorFailure('not_vector', `The file is not valid GeoJSON: ${reason}.`)
