import { listPolygons, validateGeometry } from '../../items/geometry.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorFile, VectorLimits } from '../vector-file.ts'
import { createFeatureExtentBuilder } from './extent.ts'
import { createFeatureFieldCollector, validateProperties } from './fields.ts'
import { type NormalizedGeometry, normalizeGeometry } from './normalize-geometry.ts'
import type { RawFeature } from './raw-feature.ts'
import { resolveVectorCrs } from './source-crs.ts'
import { createFeatureTimeRangeBuilder } from './times.ts'
import { type VectorSource, openVectorSource, rethrowAsVectorFailure } from './vector-source.ts'
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/** A writer of a GeoJSON file, one feature per line. */
interface FeatureWriter {
  add(feature: object): void
  /** Completes the file; returns its size and SHA-256. */
  end(): { readonly size: number; readonly checksum_sha256: string }
  close(): void
}

const flush_length = 1024 * 1024

/** The beginning of the file, followed by one feature per line, joined by `,\n`. */
const geojsonHeader = '{"type":"FeatureCollection","features":[\n'
const geojsonFooter = '\n]}\n'

/** Writes synchronously: for use in a worker thread. */
function createFeatureWriter(path: string, limits: VectorLimits): FeatureWriter {
  const file = openSync(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  let pendingText = geojsonHeader
  let separator = ''
  const flush = (): void => {
    const bytes = Buffer.from(pendingText)
    pendingText = ''
    size += bytes.length
    if (size > limits.bytes) {
      throw new VectorFailure(
        'too_large',
        `The features have more than ${limits.bytes} bytes as GeoJSON. Split the file.`,
      )
    }
    hash.update(bytes)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  }
  return {
    add(feature) {
      pendingText += separator + JSON.stringify(feature)
      separator = ',\n'
      if (pendingText.length >= flush_length) flush()
    },
    end() {
      pendingText += geojsonFooter
      flush()
      return { size, checksum_sha256: hash.digest('hex') }
    },
    close: () => closeSync(file),
  }
}

/** A single geometry with more positions, or one that crosses itself too often, is replaced by its convex hull as the item geometry. */
const max_own_geometry_positions = 2000
/** Of one file. */
export const max_notes = 20

/**
 * Converts a vector file to a new GeoJSON file: WGS 84, rings closed and oriented as in RFC 7946, with an `id` per feature.
 * Throws `VectorFailure`. Blocks its thread: run it in a worker.
 */
export async function convertToGeojson(path: string, out: string, limits: VectorLimits): Promise<VectorFile> {
  const source = await openVectorSource(path, limits)
  try {
    const writer = createFeatureWriter(out, limits)
    try {
      return await rethrowAsVectorFailure(() => convertFeatures(source, writer, limits))
    } finally {
      writer.close()
    }
  } finally {
    source.close()
  }
}

async function convertFeatures(source: VectorSource, writer: FeatureWriter, limits: VectorLimits): Promise<VectorFile> {
  const sourceCrs = await resolveVectorCrs(source.crs)
  const [extent, fields, times] = [
    createFeatureExtentBuilder(),
    createFeatureFieldCollector(limits),
    createFeatureTimeRangeBuilder(),
  ]
  const types = new Set<string>()
  let [features, positions] = [0, 0]
  let firstGeometry: NormalizedGeometry | null = null
  const onPart = (part: readonly (readonly number[])[]): void => {
    positions += part.length
    if (positions > limits.positions) throw tooMany(`${limits.positions} positions`)
    extent.add(part)
  }
  for await (const raw of source.features) {
    if (++features > limits.features) throw tooMany(`${limits.features} features`)
    const feature = withFeatureNumber(features, () => {
      const geometry = normalizeGeometry(raw.geometry, { system: sourceCrs, limits, onPart })
      return {
        type: 'Feature',
        id: featureId(raw, features),
        geometry,
        properties: validateProperties(raw.properties, limits),
      }
    })
    if (feature.geometry) types.add(feature.geometry.type)
    if (features === 1) firstGeometry = feature.geometry
    fields.add(feature.properties)
    times.add(feature.properties)
    writer.add(feature)
  }
  const bbox = extent.bbox()
  const hull = extent.hull()
  if (!bbox || !hull) throw new VectorFailure('invalid', 'The file has no feature with a geometry.')
  return {
    format: source.format,
    crs: sourceCrs.name,
    features,
    positions,
    bbox,
    geometry: features === 1 && positions <= max_own_geometry_positions ? (toFootprint(firstGeometry) ?? hull) : hull,
    geometry_types: [...types],
    fields: fields.list(),
    notes: [...source.notes].slice(0, max_notes),
    ...times.span(),
    ...writer.end(),
  }
}

const tooMany = (limitText: string): VectorFailure =>
  new VectorFailure('too_large', `The file has more than ${limitText}. Split or simplify it.`)

/** Adds the number of the feature to errors. */
function withFeatureNumber<T>(number: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof VectorFailure) || error.kind !== 'invalid') throw error
    throw new VectorFailure('invalid', `Feature ${number}: ${error.message}`, { cause: error })
  }
}

/** Its own id, else its number, counted from one. */
function featureId({ id }: RawFeature, number: number): string | number {
  if (typeof id === 'string' && id !== '' && id.length <= 500) return id
  return typeof id === 'number' && Number.isFinite(id) ? id : number
}

/** Polygons without an area, collections and what cannot be stored are not used as a footprint. */
function toFootprint(geometry: NormalizedGeometry | null): Geometry | null {
  if (!geometry || 'geometries' in geometry) return null
  const geometry2d = { type: geometry.type, coordinates: withoutHeights(geometry.coordinates) } as Geometry
  const hasAreas = listPolygons(geometry2d).every(([outer]) => hasArea(outer!))
  return hasAreas && validateGeometry(geometry2d) === null ? geometry2d : null
}

type NestedCoordinates = number | NestedCoordinates[]

/** Removes heights. */
function withoutHeights(value: NestedCoordinates): NestedCoordinates {
  const list = value as NestedCoordinates[]
  return typeof list[0] === 'number' ? list.slice(0, 2) : list.map(withoutHeights)
}

function hasArea(ring: readonly (readonly number[])[]): boolean {
  const [x0, y0] = ring[0] as [number, number]
  return ring.some(([x1, y1], at) => {
    const [x2, y2] = (ring[at + 1] ?? ring[0]) as [number, number]
    return (x1! - x0) * (y2 - y0) - (x2 - x0) * (y1! - y0) !== 0
  })
}
