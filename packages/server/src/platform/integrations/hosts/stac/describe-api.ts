import type { HostCollection } from '../../imagery-host.ts'
import { asArray, asNumber, asObject, asText, isObject, type ReadonlyJsonObject } from '../stac-item.ts'
import { HostApiError } from '../request-host-json.ts'
import type { StacClient } from './stac-client.ts'
import type { StacCapabilities } from './search-request.ts'

/** The description of an API by its landing page. */
export interface StacApiDescription {
  readonly capabilities: StacCapabilities
  readonly collections_url: string
}

/** Reads the landing page. Throws if it is not that of a STAC API with item search. */
export async function describeStacApi(
  client: StacClient,
  url: string,
  signal?: AbortSignal,
): Promise<StacApiDescription> {
  const landing = await client.request({ method: 'GET', url }, signal)
  if (!isObject(landing)) throw new HostApiError(200, 'the URL is not that of a STAC API')
  const links = asArray(landing['links']).map(asObject).filter(isJsonLink)
  const conformance = asArray(landing['conformsTo']).flatMap((uri) => asText(uri) ?? [])
  const conformsTo = (pattern: RegExp): boolean => conformance.some((uri) => pattern.test(uri))
  const searches = links.filter(({ rel, href }) => rel === 'search' && typeof href === 'string')
  const methods = searches.map(({ method }) => (asText(method) ?? 'GET').toUpperCase())
  const linked = searches[Math.max(0, methods.indexOf('POST'))]
  const data = links.find(({ rel, href }) => rel === 'data' && typeof href === 'string')
  return {
    capabilities: {
      search_url: resolve(url, linked && asText(linked['href']), 'search'),
      canPost: methods.includes('POST'),
      canSort: conformsTo(/item-search#sort/),
      filter: filterOf(conformsTo),
    },
    collections_url: resolve(url, data && asText(data['href']), 'collections'),
  }
}

/** Some servers link descriptions and pages with the same relation; most state no type. */
const isJsonLink = ({ type }: ReadonlyJsonObject): boolean => /^$|json/.test(asText(type) ?? '')

function filterOf(conformsTo: (pattern: RegExp) => boolean): StacCapabilities['filter'] {
  if (conformsTo(/item-search#query/)) return 'query'
  return conformsTo(/item-search#filter/) && conformsTo(/cql2-json/) ? 'cql2' : null
}

/** A link, relative to the landing page; the usual place if there is none. */
function resolve(base: string, href: string | null | undefined, usual: string): string {
  if (href && URL.canParse(href, base)) return new URL(href, base).href
  return new URL(usual, base.endsWith('/') ? base : `${base}/`).href
}

/** The metadata of collections that the operator adds because the API lacks them. */
export interface CollectionDefaults {
  /** Only these, by id; null takes all that the API has. */
  readonly collections: readonly string[] | null
  readonly license: string
  readonly license_url: string
  readonly attribution: string
}

const max_collections = 2000
const max_collection_pages = 20

/** The collections of an API. */
export async function readStacCollections(
  client: StacClient,
  url: string,
  defaults: CollectionDefaults,
  signal?: AbortSignal,
): Promise<readonly HostCollection[]> {
  const found = new Map<string, HostCollection>()
  const seen = new Set<string>()
  for (let next: string | null = url; next !== null && seen.size < max_collection_pages && !seen.has(next);) {
    seen.add(next)
    const page = asObject(await client.request({ method: 'GET', url: next }, signal))
    if (!Array.isArray(page['collections'])) throw new HostApiError(200, 'the catalogue has no list of collections')
    for (const entry of asArray(page['collections'])) {
      const collection = toHostCollection(asObject(entry), defaults)
      const isOffered = collection && (defaults.collections?.includes(collection.id) ?? true)
      if (collection && isOffered && found.size < max_collections) found.set(collection.id, collection)
    }
    const link = asArray(page['links'])
      .map(asObject)
      .find(({ rel }) => rel === 'next')
    const href = asText(link?.['href'])
    next = href && URL.canParse(href, next) ? new URL(href, next).href : null
  }
  return [...found.values()]
}

/** Properties by which searches may be filtered at any host; they are compared here too. */
const queryables = ['platform', 'constellation', 'view:off_nadir', 'view:sun_elevation', 'sat:orbit_state'] as const

function toHostCollection(collection: ReadonlyJsonObject, defaults: CollectionDefaults): HostCollection | null {
  const id = asText(collection['id'])
  if (!id || id.length > 256) return null
  const summaries = asObject(collection['summaries'])
  const licence = asArray(collection['links'])
    .map(asObject)
    .find(({ rel }) => rel === 'license')
  const licence_url = asText(licence?.['href'])
  return {
    id,
    title: (asText(collection['title']) ?? id).slice(0, 300),
    data_type: dataTypeOf(id, collection, summaries),
    render_strategy: 'cog',
    gsd: smallestNumber(summaries['gsd']),
    render_params: {},
    license: asText(collection['license']) ?? defaults.license,
    license_url: licence_url && /^https?:\/\//.test(licence_url) ? licence_url : defaults.license_url,
    attribution: defaults.attribution,
    price: null,
    queryables,
  }
}

const keywordTypes: readonly (readonly [RegExp, string])[] = [
  [/\bsar\b|sentinel-?1|radar/i, 'sar'],
  [/\bdem\b|\bdsm\b|elevation|\bdtm\b/i, 'elevation'],
]

function dataTypeOf(id: string, collection: ReadonlyJsonObject, summaries: ReadonlyJsonObject): string {
  if (Object.keys(summaries).some((name) => name.startsWith('sar:'))) return 'sar'
  const words = [id, ...asArray(collection['keywords']).flatMap((word) => asText(word) ?? [])].join(' ')
  return keywordTypes.find(([pattern]) => pattern.test(words.slice(0, 2000)))?.[1] ?? 'optical'
}

/** Returns the smallest number of a list, or the `minimum` of a range. */
function smallestNumber(summary: unknown): number | null {
  const numbers = asArray(summary).flatMap((value) => asNumber(value) ?? [])
  return numbers.length > 0 ? Math.min(...numbers) : asNumber(asObject(summary)['minimum'])
}
