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

export const rootLink = (base: string): StacLink => ({ rel: 'root', href: catalogOf(base), type: types.json })

type Fields = Readonly<Record<string, unknown>>

const sortText = (keys: readonly { readonly field: string; readonly direction: string }[]): string =>
  keys.map(({ field, direction }) => (direction === 'desc' ? '-' : '+') + field).join()

/** The fields of a search as those of an address. */
function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || name === 'base_url' || name === 'link_method') continue
    if (name === 'sortby') query.set(name, sortText(value as { field: string; direction: string }[]))
    else if (Array.isArray(value)) query.set(name, value.join())
    else query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return query.toString()
}

/** The link to a page of a search: the same body with another `page`, or a whole address. */
export function nextLink(base: string, method: 'POST' | 'GET', asked: Fields, page: number): StacLink {
  const href = `${catalogOf(base)}/search`
  const link = { rel: 'next', type: types.geojson, method }
  if (method === 'POST') return { ...link, href, body: { page }, merge: true }
  return { ...link, href: `${href}?${queryOf({ ...asked, page })}` }
}
