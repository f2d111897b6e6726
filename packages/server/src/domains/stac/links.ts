import { stacSearch } from '@swath/contract/operations/stac.ts'
import type { FieldChoice } from './pick-fields.ts'
import type { StacLink } from '@swath/contract/shapes/stac.ts'

/** The root URL of the STAC API. */
export const catalogOf = (base: string): string => `${base}/assets/stac`

export const types = {
  json: 'application/json',
  geojson: 'application/geo+json',
  schema: 'application/schema+json',
  openapi: 'application/vnd.oai.openapi+json;version=3.1',
} as const

/** The link relation of queryables. */
export const queryablesRel = 'http://www.opengis.net/def/rel/ogc/1.0/queryables'

export const rootLink = (base: string): StacLink => ({
  rel: 'root',
  href: catalogOf(base),
  type: types.json,
  title: 'Swath',
})

type Fields = Readonly<Record<string, unknown>>

const sortText = (keys: readonly { readonly field: string; readonly direction: string }[]): string =>
  keys.map(({ field, direction }) => (direction === 'desc' ? '-' : '+') + field).join()

/** The `fields` parameter of a URL; JSON if `include` is empty, because that differs from an absent one. */
const fieldText = ({ include, exclude }: FieldChoice): string => {
  if (include !== undefined && (include === null || include.length === 0) && exclude && exclude.length > 0)
    return JSON.stringify({ include, exclude })
  return [...(include ?? []), ...(exclude ?? []).map((name) => `-${name}`)].join()
}

/** The URLs of a search, by method. */
export interface Place {
  readonly GET: string
  readonly POST: string
}

export const searchPlace = (base: string): Place => ({
  GET: `${catalogOf(base)}/search`,
  POST: `${catalogOf(base)}/search`,
})

export const itemsPlace = (base: string, collection: string): Place => ({
  GET: `${catalogOf(base)}/collections/${collection}/items`,
  POST: `${base}/v1/op/stac.items.list`,
})

/** A list as a query parameter: comma-separated, or JSON if an element contains a comma. */
const listText = (list: readonly unknown[]): string =>
  list.some((member) => String(member).includes(',')) ? JSON.stringify(list) : list.join()

/** The fields of a search as a query string. */
function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || name === 'base_url' || name === 'link_method') continue
    if (name === 'fields') query.set(name, fieldText(value as FieldChoice))
    else if (name === 'sortby') query.set(name, sortText(value as { field: string; direction: string }[]))
    else if (Array.isArray(value)) query.set(name, listText(value))
    else query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return query.toString()
}

const { properties } = stacSearch.input as unknown as { properties: Record<string, { default?: unknown }> }
/** Default values of the search fields. */
const unsaid: Fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default]))

/** Omits fields with default values, so that the self link equals the requested URL. */
const saidIn = (asked: Fields): Fields =>
  Object.fromEntries(Object.entries(asked).filter(([name, value]) => value !== unsaid[name]))

const addressOf = (place: string, query: string): string => (query === '' ? place : `${place}?${query}`)

/**
 * The links of a search page: `self` for GET, and `next` if there is one: for POST a body to merge with another `page` and
 * `token`, and another `limit` if pages become smaller; for GET a complete URL.
 *
 * @param nextPage the fields of the next page; null if there is none.
 */
export function pageLinks(place: Place, method: 'POST' | 'GET', asked: Fields, following: Fields | null): StacLink[] {
  const self = { rel: 'self', href: addressOf(place.GET, queryOf(saidIn(asked))), type: types.geojson }
  const next = { rel: 'next', type: types.geojson, method }
  if (method === 'POST') {
    return following === null ? [] : [{ ...next, href: place.POST, body: { ...following }, merge: true }]
  }
  if (following === null) return [self]
  return [self, { ...next, href: addressOf(place.GET, queryOf({ ...asked, ...following })) }]
}
