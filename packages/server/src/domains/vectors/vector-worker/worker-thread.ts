import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import { lowerThreadPriority } from '../../../platform/lower-priority.ts'
import { type VectorTileRequest, buildVectorTile } from './build-tile.ts'
import {
  type FeatureBounds,
  type FeatureDataset,
  getFeatureByteLength,
  intersectsBounds,
  openFeatureDataset,
  parseDatasetFeature,
} from './dataset.ts'
import { type AreaMeasureRequest, type MeasuredArea, measureAreasInFootprints } from './measure-areas.ts'
import { type MeasuredCoverage, type OrderedArea, measureDeliveredCoverage } from './measure-coverage.ts'
import { type CoverRequest, measureCoveredFractions } from './measure-covers.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Feature } from '@swath/contract/schemas/geojson.ts'

interface FeatureSelectRequest {
  readonly bbox: FeatureBounds | null
  /** Properties that must have these values. */
  readonly properties: Readonly<Record<string, unknown>>
  readonly limit: number
  readonly offset: number
}

interface FeatureSelection {
  readonly features: Feature[]
  /** The number of features on all pages. */
  readonly matched: number
}

/** A page ends early if its features exceed this size. */
const max_page_bytes = 8 * 1024 * 1024

/** A page of the matching features, in file order. */
function selectFeatures(
  dataset: FeatureDataset,
  { bbox, properties, limit, offset }: FeatureSelectRequest,
): FeatureSelection {
  const conditions = Object.entries(properties)
  const features: Feature[] = []
  let [matched, bytes] = [0, 0]
  for (let at = 0; at < dataset.count; at++) {
    if (bbox && !intersectsBounds(dataset, at, bbox)) continue
    const isOnPage = matched >= offset && features.length < limit && bytes < max_page_bytes
    const feature = isOnPage || conditions.length > 0 ? parseDatasetFeature(dataset, at) : null
    if (feature && !matchesConditions(feature, conditions)) continue
    matched++
    if (!feature || !isOnPage) continue
    bytes += getFeatureByteLength(dataset, at)
    if (features.length === 0 || bytes <= max_page_bytes) features.push(feature)
  }
  return { features, matched }
}

const matchesConditions = ({ properties }: Feature, conditions: readonly (readonly [string, unknown])[]): boolean =>
  conditions.every(([name, value]) => isDeepStrictEqual((properties ?? {})[name] ?? null, value))

/** The jobs on a dataset; requests and responses are structured-cloneable. */
export interface VectorJobHandlers {
  readonly tile: (dataset: FeatureDataset, request: VectorTileRequest) => Uint8Array
  readonly select: (dataset: FeatureDataset, request: FeatureSelectRequest) => FeatureSelection
}

export type VectorJobName = keyof VectorJobHandlers

/** The jobs without a dataset. */
export interface DatasetlessJobs {
  readonly areas: (request: AreaMeasureRequest) => MeasuredArea[]
  readonly coverage: (lists: readonly (readonly OrderedArea[])[]) => MeasuredCoverage[]
  readonly covers: (request: CoverRequest) => (number | null)[]
}

/** The location of the bytes of a dataset. */
export interface DatasetLocation {
  /** Unique for these bytes. */
  readonly id: string
  readonly size: number
  /** A local file that begins with the bytes; null if they have to be transferred. */
  readonly path: string | null
}

export type VectorWorkerRequest =
  | DatasetRequest
  | { readonly job: keyof DatasetlessJobs; readonly request: unknown; readonly bytes: null }

interface DatasetRequest {
  readonly job: VectorJobName
  readonly place: DatasetLocation
  readonly request: unknown
  readonly bytes: Uint8Array | null
}

export type VectorWorkerResponse =
  | { readonly value: unknown }
  | { readonly wants: 'bytes' }
  | { readonly fault: string }

const jobs: VectorJobHandlers = { tile: buildVectorTile, select: selectFeatures }
const datasetlessJobs: DatasetlessJobs = {
  areas: measureAreasInFootprints,
  coverage: (lists) => lists.map(measureDeliveredCoverage),
  covers: measureCoveredFractions,
}

lowerThreadPriority()

const max_cached_bytes = 256 * 1024 * 1024

const datasets = createBoundedCache<string, FeatureDataset>({
  max_size: max_cached_bytes,
  sizeOf: ({ bytes }) => bytes.length,
})

parentPort!.on('message', (request: VectorWorkerRequest) => {
  parentPort!.postMessage(handleRequest(request))
})

function handleRequest(request: VectorWorkerRequest): VectorWorkerResponse {
  if (!('place' in request)) {
    const job = datasetlessJobs[request.job] as (request: unknown) => unknown
    return runJob(() => job(request.request))
  }
  try {
    const dataset = getDataset(request)
    if (!dataset) return { wants: 'bytes' }
    const job = jobs[request.job] as (dataset: FeatureDataset, request: unknown) => unknown
    return { value: job(dataset, request.request) }
  } catch (error) {
    datasets.delete(request.place.id)
    return toFault(error)
  }
}

function runJob(job: () => unknown): VectorWorkerResponse {
  try {
    return { value: job() }
  } catch (error) {
    return toFault(error)
  }
}

const toFault = (error: unknown): VectorWorkerResponse => ({
  fault: error instanceof Error ? error.message : String(error),
})

function getDataset({ place, bytes }: DatasetRequest): FeatureDataset | null {
  const cached = datasets.get(place.id)
  const dataset = cached ?? loadDataset(place, bytes)
  if (!dataset) return null
  if (!cached) datasets.set(place.id, dataset)
  return dataset
}

function loadDataset({ path, size }: DatasetLocation, bytes: Uint8Array | null): FeatureDataset | null {
  if (path === null && bytes === null) return null
  datasets.evictFor(size)
  // The bytes are followed by the trailer of the disk store.
  return openFeatureDataset(path === null ? Buffer.from(bytes!.buffer) : readFileSync(path).subarray(0, size))
}
