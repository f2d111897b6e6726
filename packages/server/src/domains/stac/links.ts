import type { StacLink } from '@swath/contract/shapes/stac.ts'

/** The address of the STAC API below the base of the service. */
export const catalogOf = (base: string): string => `${base}/assets/stac`

/** The links of a page of a search. The next page is asked for as this one was, with another `page` in the body. */
export function searchLinks(base: string, page: number, more: boolean): StacLink[] {
  const catalog = catalogOf(base)
  const type = 'application/geo+json'
  return [
    { rel: 'root', href: catalog, type: 'application/json' },
    ...(more
      ? [{ rel: 'next', href: `${catalog}/search`, type, method: 'POST', body: { page: page + 1 }, merge: true }]
      : []),
  ]
}
