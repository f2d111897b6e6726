import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorFile, VectorLimits } from '../vector-file.ts'
import { createExtent } from './extent.ts'
import { createFields, normalProperties } from './fields.ts'
import { normalGeometry, type NormalGeometry } from './normal-geometry.ts'
import type { RawFeature } from './raw-feature.ts'
import { referenceSystem } from './reference-system.ts'
import { createTimes } from './times.ts'
import { asVectorFailure, openVectors, type VectorSource } from './vector-source.ts'
import { writeFeatures, type FeatureWriter } from './write-features.ts'

/** A single geometry with more positions is replaced by its convex hull as the item geometry. */
const limit_own_geometry = 2000

/**
 * Converts a vector file to a new GeoJSON file: WGS 84, rings closed and oriented as in RFC 7946, with an `id` per feature.
 * Throws `VectorFailure`. Blocks its thread: run it in a worker.
 */
export async function readInto(path: string, out: string, limits: VectorLimits): Promise<VectorFile> {
  const source = await openVectors(path, limits)
  try {
    const writer = writeFeatures(out, limits)
    try {
      return await asVectorFailure(() => gather(source, writer, limits))
    } finally {
      writer.close()
    }
  } finally {
    source.close()
  }
}

async function gather(source: VectorSource, writer: FeatureWriter, limits: VectorLimits): Promise<VectorFile> {
  const system = await referenceSystem(source.crs)
  const [extent, fields, times] = [createExtent(), createFields(limits), createTimes()]
  const types = new Set<string>()
  let [features, positions] = [0, 0]
  let only: NormalGeometry | null = null
  const onPart = (part: readonly (readonly number[])[]): void => {
    positions += part.length
    if (positions > limits.positions) throw tooMany(`${limits.positions} positions`)
    extent.add(part)
  }
  for await (const raw of source.features) {
    if (++features > limits.features) throw tooMany(`${limits.features} features`)
    const feature = inFeature(features, () => {
      const geometry = normalGeometry(raw.geometry, { system, limits, onPart })
      return {
        type: 'Feature',
        id: idOf(raw, features),
        geometry,
        properties: normalProperties(raw.properties, limits),
      }
    })
    if (feature.geometry) types.add(feature.geometry.type)
    if (features === 1) only = feature.geometry
    fields.add(feature.properties)
    times.add(feature.properties)
    writer.add(feature)
  }
  const bbox = extent.bbox()
  const hull = extent.hull()
  if (!bbox || !hull) throw new VectorFailure('invalid', 'The file has no feature with a geometry.')
  return {
    format: source.format,
    crs: system.name,
    features,
    positions,
    bbox,
    geometry: features === 1 && positions <= limit_own_geometry ? (ownGeometry(only) ?? hull) : hull,
    geometry_types: [...types],
    fields: fields.list(),
    ...times.span(),
    ...writer.end(),
  }
}

const tooMany = (what: string): VectorFailure =>
  new VectorFailure('too_large', `The file has more than ${what}. Split or simplify it.`)

/** Adds the number of the feature to errors. */
function inFeature<T>(number: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof VectorFailure) || error.kind !== 'invalid') throw error
    throw new VectorFailure('invalid', `Feature ${number}: ${error.message}`, { cause: error })
  }
}

/** Its own id, else its number, counted from one. */
function idOf({ id }: RawFeature, number: number): string | number {
  if (typeof id === 'string' && id !== '' && id.length <= 500) return id
  return typeof id === 'number' && Number.isFinite(id) ? id : number
}

/** Polygons without an area and collections are not used as a footprint. */
function ownGeometry(geometry: NormalGeometry | null): Geometry | null {
  if (!geometry || 'geometries' in geometry) return null
  const flat = { type: geometry.type, coordinates: flattened(geometry.coordinates) } as Geometry
  if (flat.type !== 'Polygon' && flat.type !== 'MultiPolygon') return flat
  const polygons = flat.type === 'Polygon' ? [flat.coordinates] : flat.coordinates
  return polygons.every(([outer]) => hasArea(outer as number[][])) ? flat : null
}

type Nested = number | Nested[]

/** Removes heights. */
function flattened(value: Nested): Nested {
  const list = value as Nested[]
  return typeof list[0] === 'number' ? list.slice(0, 2) : list.map(flattened)
}

function hasArea(ring: readonly (readonly number[])[]): boolean {
  const [x0, y0] = ring[0] as [number, number]
  return ring.some(([x1, y1], at) => {
    const [x2, y2] = (ring[at + 1] ?? ring[0]) as [number, number]
    return (x1! - x0) * (y2 - y0) - (x2 - x0) * (y1! - y0) !== 0
  })
}
