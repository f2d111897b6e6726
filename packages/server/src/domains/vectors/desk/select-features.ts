import { isDeepStrictEqual } from 'node:util'
import type { Feature } from '@swath/contract/shapes/geojson.ts'
import { featureOf, sizeOfFeature, touches, type Box, type Dataset } from './dataset.ts'

export interface SelectRequest {
  readonly bbox: Box | null
  /** Properties that must have these values. */
  readonly properties: Readonly<Record<string, unknown>>
  readonly limit: number
  readonly offset: number
}

export interface Selected {
  readonly features: Feature[]
  /** The number of features on all pages. */
  readonly matched: number
}

/** A page ends early if its features exceed this size. */
const limit_page_bytes = 8 * 1024 * 1024

/** A page of the matching features, in file order. */
export function selectFeatures(dataset: Dataset, { bbox, properties, limit, offset }: SelectRequest): Selected {
  const wanted = Object.entries(properties)
  const features: Feature[] = []
  let [matched, bytes] = [0, 0]
  for (let at = 0; at < dataset.count; at++) {
    if (bbox && !touches(dataset, at, bbox)) continue
    const onPage = matched >= offset && features.length < limit && bytes < limit_page_bytes
    const feature = onPage || wanted.length > 0 ? featureOf(dataset, at) : null
    if (feature && !fits(feature, wanted)) continue
    matched++
    if (!feature || !onPage) continue
    bytes += sizeOfFeature(dataset, at)
    if (features.length === 0 || bytes <= limit_page_bytes) features.push(feature)
  }
  return { features, matched }
}

const fits = ({ properties }: Feature, wanted: readonly (readonly [string, unknown])[]): boolean =>
  wanted.every(([name, value]) => isDeepStrictEqual((properties ?? {})[name] ?? null, value))
