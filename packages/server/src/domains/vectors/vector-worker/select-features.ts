import { isDeepStrictEqual } from 'node:util'
import type { Feature } from '@swath/contract/schemas/geojson.ts'
import {
  parseFeature,
  featureByteLength,
  intersectsBounds,
  type FeatureBounds,
  type FeatureDataset,
} from './dataset.ts'

export interface FeatureSelectRequest {
  readonly bbox: FeatureBounds | null
  /** Properties that must have these values. */
  readonly properties: Readonly<Record<string, unknown>>
  readonly limit: number
  readonly offset: number
}

export interface FeatureSelection {
  readonly features: Feature[]
  /** The number of features on all pages. */
  readonly matched: number
}

/** A page ends early if its features exceed this size. */
const max_page_bytes = 8 * 1024 * 1024

/** A page of the matching features, in file order. */
export function selectFeatures(
  dataset: FeatureDataset,
  { bbox, properties, limit, offset }: FeatureSelectRequest,
): FeatureSelection {
  const conditions = Object.entries(properties)
  const features: Feature[] = []
  let [matched, bytes] = [0, 0]
  for (let at = 0; at < dataset.count; at++) {
    if (bbox && !intersectsBounds(dataset, at, bbox)) continue
    const isOnPage = matched >= offset && features.length < limit && bytes < max_page_bytes
    const feature = isOnPage || conditions.length > 0 ? parseFeature(dataset, at) : null
    if (feature && !matchesConditions(feature, conditions)) continue
    matched++
    if (!feature || !isOnPage) continue
    bytes += featureByteLength(dataset, at)
    if (features.length === 0 || bytes <= max_page_bytes) features.push(feature)
  }
  return { features, matched }
}

const matchesConditions = ({ properties }: Feature, conditions: readonly (readonly [string, unknown])[]): boolean =>
  conditions.every(([name, value]) => isDeepStrictEqual((properties ?? {})[name] ?? null, value))
