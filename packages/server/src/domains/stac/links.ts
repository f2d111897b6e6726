import { stacSearch } from '@swath/contract/operations/stac.ts'
import type { FieldChoice } from './pick-fields.ts'
import type { StacLink } from '@swath/contract/shapes/stac.ts'

/** The address of the STAC API below the base of the service. */
export const catalogOf = (base: string): string => `${base}/assets/stac`

export const types = {
  json: 'application/json',
  geojson: 'application/geo+json',
  schema: 'application/schema+json',
  openapi: 'application/vnd.oai.openapi+json;version=3.1',
} as const

/** What a link to the properties that a filter may name is called. */
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

/** As an address has it, where a list that is left out differs from an empty one only in JSON. */
const fieldText = ({ include, exclude }: FieldChoice): string => {
  if (include !== undefined && (include === null || include.length === 0) && exclude && exclude.length > 0)
    return JSON.stringify({ include, exclude })
  return [...(include ?? []), ...(exclude ?? []).map((name) => `-${name}`)].join()
}

/** Where the pages of a search are asked for, by either method. */
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

/** A list as the text of an address: by commas, as JSON where a member has one itself. */
const listText = (list: readonly unknown[]): string =>
  list.some((member) => String(member).includes(',')) ? JSON.stringify(list) : list.join()

/** The fields of a search as those of an address. */
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
/** What a search is asked where nothing is said. */
const unsaid: Fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default]))

/** The fields that say something; a link to the page itself is the address that was asked for. */
const saidIn = (asked: Fields): Fields =>
  Object.fromEntries(Object.entries(asked).filter(([name, value]) => value !== unsaid[name]))

const addressOf = (place: string, query: string): string => (query === '' ? place : `${place}?${query}`)

/**
 * The links of a page of a search: itself, where it has an address of its own, and the page that follows, if one does: the
 * same body with another `page` and `token`, and another `limit` where pages become smaller, or a whole address.
 *
 * @param following what is asked for the page that follows; null where there is none.
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
