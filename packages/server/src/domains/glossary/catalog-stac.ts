import type { StacCatalog, StacCollection, StacLink } from '@swath/contract/schemas/stac.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { readRatesOfCaller } from '../contracts/rates.ts'
import { toStacLicence } from '../items/stac/licence.ts'
import { createNextLink, stacMediaTypes } from '../stac/links.ts'
import { listOfferedProducts, type DataProduct } from './data-products.ts'
import { listGlossaryProviders } from './glossary.ts'
import { readHostOffers } from './read-host-offers.ts'

// The STAC API of the catalogue of all hosts, which clients of the second generation search.

/** The root URL of the API. */
export const buildCatalogStacUrl = (base: string): string => `${base}/v2/catalog`

const { json, geojson } = stacMediaTypes

const createCatalogRootLink = (base: string): StacLink => ({
  rel: 'root',
  href: buildCatalogStacUrl(base),
  type: json,
  title: 'Catalogue',
})

const conformanceClasses = [
  'https://api.stacspec.org/v1.0.0/core',
  'https://api.stacspec.org/v1.0.0/collections',
  'https://api.stacspec.org/v1.0.0/item-search',
  'https://api.stacspec.org/v1.0.0/item-search#query',
] as const

export function createCatalogLandingPage(base: string): StacCatalog {
  const catalog = buildCatalogStacUrl(base)
  return {
    type: 'Catalog',
    stac_version: '1.0.0',
    id: 'swath-catalog',
    title: 'Catalogue',
    description: 'The imagery of all hosts.',
    conformsTo: [...conformanceClasses],
    links: [
      { rel: 'self', href: catalog, type: json },
      createCatalogRootLink(base),
      { rel: 'data', href: `${catalog}/collections`, type: json },
      { rel: 'search', href: `${catalog}/search`, type: geojson, method: 'GET' },
      { rel: 'search', href: `${catalog}/search`, type: geojson, method: 'POST' },
    ],
  }
}

/** The collections of all hosts that can be searched, each once. */
export async function listCatalogStacCollections(call: Call, base: string): Promise<StacCollection[]> {
  const { products } = await readRatesOfCaller(call)
  const searchable = listOfferedProducts(await readHostOffers(call), products).filter(
    ({ collection }) => collection.type !== 'TASKING',
  )
  const byCollection = Map.groupBy(searchable, ({ collection }) => collection.id)
  return [...byCollection.values()].map((offers) => toCatalogCollection(offers, base))
}

/** Throws `not-found`. */
export async function requireCatalogStacCollection(call: Call, name: string, base: string): Promise<StacCollection> {
  const found = (await listCatalogStacCollections(call, base)).find(({ id }) => id === name)
  if (!found) throw new Problem('not-found', `No host has a collection with the name "${name}".`)
  return found
}

export const createCatalogCollectionsLinks = (base: string): StacLink[] => [
  { rel: 'self', href: `${buildCatalogStacUrl(base)}/collections`, type: json },
  createCatalogRootLink(base),
]

function toCatalogCollection(offers: readonly DataProduct[], base: string): StacCollection & { providers: object[] } {
  const { collection, licences } = offers[0]!
  const catalog = buildCatalogStacUrl(base)
  const items = new URLSearchParams({ collections: collection.id })
  return {
    type: 'Collection',
    stac_version: '1.0.0',
    itemType: 'feature',
    id: collection.id,
    title: collection.title,
    description: collection.title,
    license: toStacLicence(licences[0] ?? collection.license),
    providers: listGlossaryProviders(offers.map(({ host }) => host)).map(({ name, description, roles }) => ({
      name,
      description,
      roles: roles.map((role) => role.toLowerCase()),
    })),
    // Hosts do not say when and where their imagery begins and ends.
    extent: { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } },
    ...(collection.gsd === null ? {} : { summaries: { gsd: [collection.gsd] } }),
    links: [
      { rel: 'self', href: `${catalog}/collections/${encodeURIComponent(collection.id)}`, type: json },
      createCatalogRootLink(base),
      { rel: 'parent', href: catalog, type: json },
      { rel: 'items', href: `${catalog}/search?${items}`, type: geojson },
    ],
  }
}

/** The links of a page; to the next one with the method of the request. */
export function createCatalogSearchLinks(
  base: string,
  method: 'GET' | 'POST',
  requested: Readonly<Record<string, unknown>>,
  next: string | undefined,
): StacLink[] {
  const links = [createCatalogRootLink(base)]
  if (next === undefined) return links
  const url = `${buildCatalogStacUrl(base)}/search`
  return [...links, createNextLink({ GET: url, POST: url }, method, requested, { next })]
}
