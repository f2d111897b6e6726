import { limits } from '@swath/contract/limits.ts'
import type { CatalogFeature } from '@swath/contract/schemas/catalog.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { parseTimeInterval } from '../items/datetime.ts'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import type {
  HostScene,
  HostSearch,
  ImageryHost,
  HostSearchPropertyBounds,
} from '../../platform/integrations/imagery-host.ts'
import type { PriceRates } from '../contracts/rates.ts'
import { formatDataProductName, isProductOffered, type ProductTermsByName } from '../rate-cards/product-terms.ts'
import { toStacLicence } from '../items/stac/licence.ts'
import { callHost, findCollectionForSale } from './hosts.ts'
import { priceScene } from './price.ts'
import { buildLicenceLink } from './attribution.ts'

/** Filters common to all catalogue searches. */
export interface CatalogFilters {
  readonly collections?: readonly string[] | null
  readonly ids?: readonly string[] | null
  readonly datetime?: string | null
  readonly bbox?: readonly number[] | null
  readonly intersects?: { readonly type: string } | null
  readonly query?: Readonly<Record<string, Readonly<Record<string, number | string | null | undefined>>>> | null
  /** Also scenes of products that are not offered. */
  readonly full_catalog?: boolean | null
}

const aliases: Record<string, string> = {
  cloudCoverage: 'eo:cloud_cover',
  cloud_cover: 'eo:cloud_cover',
  resolution: 'gsd',
}
const commonProperties = new Set(['eo:cloud_cover', 'gsd'])

/** The geometry is intersected with every priced scene that is found, so its size is bounded. */
const geometryLimits = { max_vertices: limits.max_capture_vertices }

/** Scenes to price before yielding to the event loop. */
export const scenes_priced_per_yield = 5

/** What is wrong with the filters at any host, and their time span. Throws `conflicting-parameters`. */
function checkFilters({ bbox, intersects, datetime }: CatalogFilters) {
  if (bbox && intersects) throw new Problem('conflicting-parameters', '`bbox` and `intersects` are mutually exclusive.')
  const errors: FieldError[] = []
  const span = datetime ? parseTimeInterval(datetime) : null
  if (typeof span === 'string') errors.push({ path: 'datetime', message: span })
  const geometryError = intersects ? validateAreaGeometry(intersects, geometryLimits).error : null
  if (geometryError) errors.push({ path: 'intersects', message: geometryError.reason })
  if (bbox && !isValidBbox(bbox)) {
    errors.push({ path: 'bbox', message: 'must be west, south, east, north in degrees, south not above north' })
  }
  return { errors, span }
}

/** For a search in which there may be no host that would refuse them. Throws `conflicting-parameters` or `validation`. */
export function requireValidFilters(filters: CatalogFilters): void {
  const { errors } = checkFilters(filters)
  if (errors.length > 0) throw validationProblem(errors)
}

/**
 * Converts the filters to a host search, without the collections that operators have withdrawn unless the full
 * catalogue is requested. Throws `conflicting-parameters` or `validation`.
 */
export function toHostSearch(
  host: ImageryHost,
  filters: CatalogFilters,
  products: ProductTermsByName = new Map(),
): Omit<HostSearch, 'limit' | 'after'> {
  const { errors, span } = checkFilters(filters)
  const query = readPropertyBounds(host, filters, errors)
  if (errors.length > 0) throw validationProblem(errors)
  const collections = listSearchedCollections(host, filters, products)
  return {
    ...(collections ? { collections } : {}),
    ...(filters.ids ? { ids: filters.ids } : {}),
    ...(filters.bbox ? { bbox: filters.bbox } : {}),
    ...(filters.intersects ? { intersects: filters.intersects as NonNullable<HostSearch['intersects']> } : {}),
    ...(span && typeof span !== 'string' ? { from: span.from, to: span.to } : {}),
    ...(query ? { query } : {}),
  }
}

/** Null if the host is searched as a whole. */
function listSearchedCollections(
  host: ImageryHost,
  { collections, full_catalog }: CatalogFilters,
  products: ProductTermsByName,
): readonly string[] | null {
  const isSearched = (id: string): boolean => isProductOffered(products, formatDataProductName(host.name, id))
  const known = host.collections.map(({ id }) => id)
  if (full_catalog || known.every(isSearched)) return collections ?? null
  return (collections ?? known).filter(isSearched)
}

const isValidBbox = ([west, south, east, north]: readonly number[]): boolean =>
  [west, east].every((x) => x !== undefined && x >= -180 && x <= 180) &&
  [south, north].every((y) => y !== undefined && y >= -90 && y <= 90) &&
  (south ?? 0) <= (north ?? 0)

/** Bounds by canonical property name, with upper-case operators; a property that is not queryable is an error. */
function readPropertyBounds(
  host: ImageryHost,
  filters: CatalogFilters,
  errors: FieldError[],
): Record<string, HostSearchPropertyBounds> | null {
  if (!filters.query) return null
  const requestedCollections = filters.collections ? new Set(filters.collections) : null
  const searchedCollections = host.collections.filter(
    (collection) => !requestedCollections || requestedCollections.has(collection.id),
  )
  const queryables = new Set(searchedCollections.flatMap((collection) => collection.queryables))
  const bounds: Record<string, HostSearchPropertyBounds> = {}
  for (const [queryName, comparison] of Object.entries(filters.query)) {
    const name = Object.hasOwn(aliases, queryName) ? aliases[queryName]! : queryName
    if (!commonProperties.has(name) && !queryables.has(name)) {
      errors.push({ path: `query.${queryName}`, message: 'is not a queryable property of this host' })
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

/** One page of scenes, newest first; none if no collection is searched. */
export const searchImageryHost = async (
  host: ImageryHost,
  search: HostSearch,
  signal: AbortSignal,
): Promise<readonly HostScene[]> =>
  search.collections?.length === 0 ? [] : callHost(host, host.search(search, signal))

/**
 * A scene as a STAC 1.0.0 Item with its price by the caller's commitments and a link to its quicklook. A scene of a product that is
 * not offered has no price.
 */
export function toCatalogFeature({
  host,
  scene,
  filters,
  baseUrl,
  rates,
}: {
  readonly host: ImageryHost
  readonly scene: HostScene
  readonly filters: CatalogFilters
  readonly baseUrl: string
  readonly rates: PriceRates
}): CatalogFeature {
  const collection = findCollectionForSale(host, scene, rates.products)
  const quicklook = `${baseUrl}/catalog/${encodeURIComponent(host.name)}/image/${encodeURIComponent(scene.id)}/quicklook`
  const licence = collection?.price?.licences[0] ?? collection?.license ?? host.license
  const price = isProductOffered(rates.products, formatDataProductName(host.name, scene.collection))
    ? priceScene(collection?.price ?? null, scene.geometry, filters.intersects, rates)
    : null
  return {
    type: 'Feature',
    stac_version: '1.0.0',
    stac_extensions: [...usedExtensions(scene)],
    id: scene.id,
    collection: scene.collection,
    geometry: scene.geometry as CatalogFeature['geometry'],
    bbox: [...scene.bbox],
    properties: {
      ...toFeatureProperties(scene),
      license: toStacLicence(licence),
      // The same metadata under the names that clients of other catalogues use.
      id: scene.id,
      collection: scene.collection,
      producer: host.providers[0]?.name ?? host.title,
      host: host.name,
      cloudCoverage: scene.properties['eo:cloud_cover'] ?? null,
      resolution: scene.properties['gsd'] ?? null,
      'service:price': price,
    },
    assets: { thumbnail: { href: quicklook, type: 'image/jpeg', roles: ['thumbnail'], title: 'Quicklook' } },
    links: [...createLinks(host, scene, baseUrl), buildLicenceLink(host, scene, licence)],
    'service:price': price,
  }
}

const timeProperties = ['datetime', 'start_datetime', 'end_datetime'] as const

/** Properties of the scene, times in milliseconds. `eo:bands` describes files, so it becomes `service:bands`. */
function toFeatureProperties(scene: HostScene): Record<string, unknown> {
  const { 'eo:bands': bands, ...properties } = { ...scene.properties, datetime: scene.datetime } as Record<
    string,
    unknown
  >
  for (const name of timeProperties) {
    const time = properties[name]
    if (typeof time === 'string') properties[name] = new Date(time).toISOString()
  }
  return { ...properties, ...(bands === undefined ? {} : { 'service:bands': bands }) }
}

/** STAC requires a link to the collection of an Item; the sources list describes the collections of a host. */
function createLinks(host: ImageryHost, scene: HostScene, baseUrl: string) {
  const query = new URLSearchParams({ host_name: host.name, ids: scene.id })
  return [
    { rel: 'self', href: `${baseUrl}/v1/catalog/search?${query}`, type: 'application/json' },
    { rel: 'collection', href: `${baseUrl}/v1/catalog/sources/list`, type: 'application/json' },
  ]
}

const usedExtensions = (scene: HostScene): readonly string[] =>
  'eo:cloud_cover' in scene.properties ? ['https://stac-extensions.github.io/eo/v1.1.0/schema.json'] : []
