import type { StacCatalog } from '@swath/contract/schemas/stac.ts'
import { listServiceDescriptions } from '../../engine/service-descriptions.ts'
import { plainBase } from './signed-assets.ts'
import { buildParentUrl, buildStacCatalogUrl, queryablesRelation, createRootLink, stacMediaTypes } from './links.ts'

/** The implemented conformance classes of the STAC API, OGC API - Features and CQL2. */
const stacConformanceClasses: readonly string[] = [
  'https://api.stacspec.org/v1.0.0/core',
  'https://api.stacspec.org/v1.0.0/collections',
  'https://api.stacspec.org/v1.0.0/ogcapi-features',
  'https://api.stacspec.org/v1.0.0/item-search',
  'https://api.stacspec.org/v1.0.0/item-search#sort',
  'https://api.stacspec.org/v1.0.0/item-search#filter',
  'https://api.stacspec.org/v1.0.0/item-search#query',
  'https://api.stacspec.org/v1.0.0/item-search#fields',
  'https://api.stacspec.org/v1.0.0/item-search#context',
  'https://api.stacspec.org/v1.0.0-rc.1/item-search#free-text',
  'https://api.stacspec.org/v1.0.0-rc.1/ogcapi-features#free-text',
  'https://api.stacspec.org/v1.0.0-rc.1/collection-search',
  'https://api.stacspec.org/v1.0.0-rc.1/collection-search#free-text',
  'http://www.opengis.net/spec/ogcapi-common-2/1.0/conf/simple-query',
  'https://api.stacspec.org/v1.0.0/ogcapi-features#sort',
  'https://api.stacspec.org/v1.0.0/ogcapi-features#filter',
  'https://api.stacspec.org/v1.0.0/ogcapi-features#query',
  'https://api.stacspec.org/v1.0.0/ogcapi-features#fields',
  'https://api.stacspec.org/v1.0.0/ogcapi-features/extensions/transaction',
  'https://api.stacspec.org/v0.3.0/aggregation',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/create-replace-delete',
  'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/optimistic-locking-etags',
  'http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/update',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-json',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
  'http://www.opengis.net/spec/cql2/1.0/conf/case-insensitive-comparison',
  'http://www.opengis.net/spec/cql2/1.0/conf/accent-insensitive-comparison',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-functions',
  'http://www.opengis.net/spec/cql2/1.0/conf/spatial-functions',
  'http://www.opengis.net/spec/cql2/1.0/conf/temporal-functions',
  'http://www.opengis.net/spec/cql2/1.0/conf/array-functions',
  'http://www.opengis.net/spec/cql2/1.0/conf/property-property',
  'http://www.opengis.net/spec/cql2/1.0/conf/arithmetic',
]

/** Those of changes, which the signed catalogue does not take. */
const transactionClass = /\/extensions\/transaction$|\/ogcapi-features-4\//

/** The conformance classes of the catalogue at a base URL. */
export const listConformanceClasses = (base: string): string[] =>
  stacConformanceClasses.filter((uri) => plainBase(base) === base || !transactionClass.test(uri))

/** The landing page of the STAC API, with the visible collections as child links. */
export function createLandingPage(base: string, collections: readonly { id: string; name: string }[]): StacCatalog {
  const catalog = buildStacCatalogUrl(base)
  const { json, geojson, schema } = stacMediaTypes
  return {
    type: 'Catalog',
    stac_version: '1.0.0',
    id: 'swath',
    title: 'Swath',
    description: 'The imagery of your organization.',
    conformsTo: listConformanceClasses(base),
    links: [
      { rel: 'self', href: catalog, type: json },
      createRootLink(base),
      ...listServiceDescriptions(plainBase(base), 'stac').map((link) => ({ rel: 'service-desc', ...link })),
      { rel: 'service-doc', href: `${plainBase(base)}/docs`, type: 'text/html' },
      { rel: 'conformance', href: `${catalog}/conformance`, type: json },
      { rel: 'data', href: `${catalog}/collections`, type: json },
      { rel: 'search', href: `${catalog}/search`, type: geojson, method: 'GET' },
      { rel: 'search', href: `${catalog}/search`, type: geojson, method: 'POST' },
      { rel: 'aggregations', href: `${catalog}/aggregations`, type: json },
      { rel: 'aggregate', href: `${catalog}/aggregate`, type: json, method: 'GET' },
      { rel: 'aggregate', href: `${catalog}/aggregate`, type: json, method: 'POST' },
      { rel: queryablesRelation, href: `${catalog}/queryables`, type: schema },
      ...collections.map(({ id, name }) => ({
        rel: 'child',
        href: buildParentUrl(base, id),
        type: json,
        title: name,
      })),
    ],
  }
}
