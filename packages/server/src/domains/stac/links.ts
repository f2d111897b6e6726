import { stacSearchOperation } from '@swath/contract/operations/stac.ts'
import type { FieldsSelection } from './select-fields.ts'
import type { StacLink } from '@swath/contract/schemas/stac.ts'

/** The root URL of the STAC API. */
export const buildStacCatalogUrl = (base: string): string => `${base}/assets/stac`

/** The URL of a collection, or of the whole catalog for null. */
export const buildParentUrl = (base: string, collection: string | null): string =>
  collection === null ? buildStacCatalogUrl(base) : `${buildStacCatalogUrl(base)}/collections/${collection}`

export const stacMediaTypes = {
  json: 'application/json',
  geojson: 'application/geo+json',
  schema: 'application/schema+json',
} as const

/** The link relation of queryables. */
export const queryablesRelation = 'http://www.opengis.net/def/rel/ogc/1.0/queryables'

export const createRootLink = (base: string): StacLink => ({
  rel: 'root',
  href: buildStacCatalogUrl(base),
  type: stacMediaTypes.json,
  title: 'Swath',
})

type SearchFields = Readonly<Record<string, unknown>>

const formatSort = (keys: readonly { readonly field: string; readonly direction: string }[]): string =>
  keys.map(({ field, direction }) => (direction === 'desc' ? '-' : '+') + field).join()

/** The `fields` parameter of a URL; JSON if `include` is empty, because that differs from an absent one. */
const formatFields = ({ include, exclude }: FieldsSelection): string => {
  if (include !== undefined && (include === null || include.length === 0) && exclude && exclude.length > 0)
    return JSON.stringify({ include, exclude })
  return [...(include ?? []), ...(exclude ?? []).map((name) => `-${name}`)].join()
}

/** The URLs of a search, by method. */
export interface SearchUrls {
  readonly GET: string
  readonly POST: string
}

/** Pages of the operation `stac.search` are of its own, because the STAC API is stricter about some conditions. */
export const buildStacSearchUrls = (base: string, operation: string): SearchUrls => ({
  GET: `${buildStacCatalogUrl(base)}/search`,
  POST: operation === 'stac.search' ? `${base}/v1/op/stac.search` : `${buildStacCatalogUrl(base)}/search`,
})

export const buildCollectionItemsUrls = (base: string, collection: string): SearchUrls => ({
  GET: `${buildParentUrl(base, collection)}/items`,
  POST: `${base}/v1/op/stac.items.list`,
})

/** A list as a query parameter: comma-separated, or JSON if an element contains a comma. */
const formatList = (list: readonly unknown[]): string =>
  list.some((member) => String(member).includes(',')) ? JSON.stringify(list) : list.join()

/** The fields of a search as a query string. */
function formatSearchQuery(fields: SearchFields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || name === 'base_url' || name === 'link_method') continue
    if (name === 'fields') query.set(name, formatFields(value as FieldsSelection))
    else if (name === 'sortby') query.set(name, formatSort(value as { field: string; direction: string }[]))
    else if (Array.isArray(value)) query.set(name, formatList(value))
    else query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return query.toString()
}

const { properties } = stacSearchOperation.input as unknown as { properties: Record<string, { default?: unknown }> }
/** Default values of the search fields. */
const searchDefaults: SearchFields = Object.fromEntries(
  Object.entries(properties).map(([name, field]) => [name, field.default]),
)

/** Omits fields with default values, so that the self link equals the requested URL. */
export const withoutDefaults = (requested: SearchFields): SearchFields =>
  Object.fromEntries(Object.entries(requested).filter(([name, value]) => value !== searchDefaults[name]))

/** The URL with the fields of a request. */
export function createUrlWithQuery(url: string, fields: object): string {
  const query = formatSearchQuery({ ...fields })
  return query === '' ? url : `${url}?${query}`
}

/**
 * The links of a search page: `self` for GET, and `next` if there is one: for POST a body to merge with another `page` and
 * `token`, and another `limit` if pages become smaller; for GET a complete URL.
 *
 * @param nextPage the fields of the next page; null if there is none.
 */
export function createPageLinks(
  urls: SearchUrls,
  method: 'POST' | 'GET',
  requested: SearchFields,
  nextPage: SearchFields | null,
): StacLink[] {
  const next = nextPage === null ? [] : [createNextLink(urls, method, requested, nextPage)]
  if (method === 'POST') return next
  const href = createUrlWithQuery(urls.GET, withoutDefaults(requested))
  return [{ rel: 'self', href, type: stacMediaTypes.geojson }, ...next]
}

/** The link to the next page with the method of the request. */
export const createNextLink = (
  urls: SearchUrls,
  method: 'POST' | 'GET',
  requested: SearchFields,
  nextPage: SearchFields,
): StacLink => ({
  rel: 'next',
  type: stacMediaTypes.geojson,
  method,
  ...(method === 'POST'
    ? { href: urls.POST, body: { ...nextPage }, merge: true }
    : { href: createUrlWithQuery(urls.GET, { ...requested, ...nextPage }) }),
})
