import { limits } from '@swath/contract/limits.ts'
import type { CatalogFeature } from '@swath/contract/shapes/catalog.ts'
import { checkGeometry } from '@swath/geo/geojson.ts'
import { readSpan } from '../items/datetime.ts'
import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import type { HostScene, HostSearch, ImageryHost, PropertyBounds } from '../../platform/outside/imagery-host.ts'
import type { Rates } from '../billing/commitments/rates.ts'
import { stacLicence } from '../items/licence.ts'
import { asking, collectionOf } from './hosts.ts'
import { priceTag } from './price.ts'
import { licenceLink } from './terms.ts'

/** Filters common to all catalogue searches. */
export interface CatalogFilters {
  readonly collections?: readonly string[] | null
  readonly ids?: readonly string[] | null
  readonly datetime?: string | null
  readonly bbox?: readonly number[] | null
  readonly intersects?: { readonly type: string } | null
  readonly query?: Readonly<Record<string, Readonly<Record<string, number | string | null | undefined>>>> | null
}

const aliases: Record<string, string> = {
  cloudCoverage: 'eo:cloud_cover',
  cloud_cover: 'eo:cloud_cover',
  resolution: 'gsd',
}
const commonProperties = new Set(['eo:cloud_cover', 'gsd'])

/** The geometry is intersected with every priced scene that is found, so its size is bounded. */
const areaLimits = { most_vertices: limits.capture_vertices }

/** Scenes to price before yielding to the event loop. */
export const scenes_at_once = 5

/** Converts the filters to a host search. Throws `conflicting-parameters` or `validation`. */
export function hostSearch(host: ImageryHost, filters: CatalogFilters): Omit<HostSearch, 'limit' | 'after'> {
  if (filters.bbox && filters.intersects) {
    throw new Problem('conflicting-parameters', '`bbox` and `intersects` are mutually exclusive.')
  }
  const faults: Fault[] = []
  const span = filters.datetime ? readSpan(filters.datetime) : null
  if (typeof span === 'string') faults.push({ path: 'datetime', message: span })
  const shape = filters.intersects ? checkGeometry(filters.intersects, areaLimits).fault : null
  if (shape) faults.push({ path: 'intersects', message: shape.reason })
  if (filters.bbox && !isBox(filters.bbox)) {
    faults.push({ path: 'bbox', message: 'must be west, south, east, north in degrees, south not above north' })
  }
  const query = boundsOf(host, filters, faults)
  if (faults.length > 0) throw validationProblem(faults)
  return {
    ...(filters.collections ? { collections: filters.collections } : {}),
    ...(filters.ids ? { ids: filters.ids } : {}),
    ...(filters.bbox ? { bbox: filters.bbox } : {}),
    ...(filters.intersects ? { intersects: filters.intersects as NonNullable<HostSearch['intersects']> } : {}),
    ...(span && typeof span !== 'string' ? { from: span.from, to: span.to } : {}),
    ...(query ? { query } : {}),
  }
}

const isBox = ([west, south, east, north]: readonly number[]): boolean =>
  [west, east].every((x) => x !== undefined && x >= -180 && x <= 180) &&
  [south, north].every((y) => y !== undefined && y >= -90 && y <= 90) &&
  (south ?? 0) <= (north ?? 0)

/** Bounds by canonical property name, with upper-case operators; a property that is not queryable is an error. */
function boundsOf(host: ImageryHost, filters: CatalogFilters, faults: Fault[]): Record<string, PropertyBounds> | null {
  if (!filters.query) return null
  const wanted = filters.collections ? new Set(filters.collections) : null
  const searched = host.collections.filter((collection) => !wanted || wanted.has(collection.id))
  const published = new Set(searched.flatMap((collection) => collection.queryables))
  const bounds: Record<string, PropertyBounds> = {}
  for (const [given, comparison] of Object.entries(filters.query)) {
    const name = Object.hasOwn(aliases, given) ? aliases[given]! : given
    if (!commonProperties.has(name) && !published.has(name)) {
      faults.push({ path: `query.${given}`, message: 'is not a queryable property of this host' })
      continue
    }
    const entries = Object.entries(comparison).filter(([, value]) => value !== null && value !== undefined)
    bounds[name] = {
      ...bounds[name],
      ...Object.fromEntries(entries.map(([operator, value]) => [operator.toUpperCase(), value])),
    }
  }
  return bounds
}

/** One page of scenes, newest first. */
export const searchHost = (host: ImageryHost, search: HostSearch, signal: AbortSignal): Promise<readonly HostScene[]> =>
  asking(host, host.search(search, signal))

/** A scene as a STAC 1.0.0 Item with its price by the caller's commitments and a link to its quicklook. */
export function featureOf(
  host: ImageryHost,
  scene: HostScene,
  filters: CatalogFilters,
  baseUrl: string,
  rates: Rates,
): CatalogFeature {
  const collection = collectionOf(host, scene)
  const quicklook = `${baseUrl}/catalog/${encodeURIComponent(host.name)}/image/${encodeURIComponent(scene.id)}/quicklook`
  const licence = collection?.price?.licences[0] ?? collection?.license ?? host.license
  const tag = priceTag(collection?.price ?? null, scene.geometry, filters.intersects, rates)
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: [...extensionsOf(scene)],
    id: scene.id,
    collection: scene.collection,
    geometry: scene.geometry as CatalogFeature['geometry'],
    bbox: [...scene.bbox],
    properties: {
      ...propertiesOf(scene),
      license: stacLicence(licence),
      // The same metadata under the names that clients of other catalogues use.
      id: scene.id,
      collection: scene.collection,
      producer: host.providers[0]?.name ?? host.title,
      host: host.name,
      cloudCoverage: scene.properties['eo:cloud_cover'] ?? null,
      resolution: scene.properties['gsd'] ?? null,
      'service:price': tag,
    },
    assets: { thumbnail: { href: quicklook, type: 'image/png', roles: ['thumbnail'], title: 'Quicklook' } },
    links: [...linksOf(host, scene, baseUrl), licenceLink(host, scene, licence)],
    'service:price': tag,
  }
}

const times = ['datetime', 'start_datetime', 'end_datetime'] as const

/** Properties of the scene, times in milliseconds. `eo:bands` describes files, so it becomes `service:bands`. */
function propertiesOf(scene: HostScene): Record<string, unknown> {
  const { 'eo:bands': bands, ...properties } = { ...scene.properties, datetime: scene.datetime } as Record<
    string,
    unknown
  >
  for (const name of times) {
    const time = properties[name]
    if (typeof time === 'string') properties[name] = new Date(time).toISOString()
  }
  return { ...properties, ...(bands === undefined ? {} : { 'service:bands': bands }) }
}

/** STAC requires a link to the collection of an Item; the sources list describes the collections of a host. */
function linksOf(host: ImageryHost, scene: HostScene, baseUrl: string) {
  const found = new URLSearchParams({ host_name: host.name, ids: scene.id })
  return [
    { rel: 'self', href: `${baseUrl}/v1/catalog/search?${found}`, type: 'application/json' },
    { rel: 'collection', href: `${baseUrl}/v1/catalog/sources/list`, type: 'application/json' },
  ]
}

const extensionsOf = (scene: HostScene): readonly string[] =>
  'eo:cloud_cover' in scene.properties ? ['https://stac-extensions.github.io/eo/v1.1.0/schema.json'] : []
