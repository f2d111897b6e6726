import type { CatalogFeature, CatalogSearchResult } from '@swath/contract/schemas/catalog.ts'
import { jsonValueOf, type ToRepresentation } from './representation.ts'

/**
 * Scenes with the properties that clients of the search require, and an absolute link to the next page, to which they
 * send the same body again.
 */
export const toScenes: ToRepresentation = (result, url) => {
  const { next, features, ...page } = jsonValueOf(result) as CatalogSearchResult
  const links = [
    { rel: 'self', href: url, method: 'POST' },
    ...(next === undefined ? [] : [{ rel: 'next', href: `${url}?next=${encodeURIComponent(next)}`, method: 'POST' }]),
  ]
  return {
    status: 200,
    media_type: 'application/geo+json; charset=utf-8',
    headers: {},
    body: JSON.stringify({ ...page, features: features.map(toScene), links }),
  }
}

/** A scene of a host that states no constellation has its platform as one, or else its collection. */
const toScene = (feature: CatalogFeature) => {
  const { properties, collection = null } = feature
  const constellation = properties['constellation'] ?? properties['platform'] ?? collection
  return { ...feature, properties: { providerProperties: {}, ...properties, constellation } }
}
