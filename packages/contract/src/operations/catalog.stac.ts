import Type from 'typebox'
import { operation } from '../operation.ts'
import { nextTokenPaging } from '../paging.ts'
import { catalogSearchProblems } from '../problems.ts'
import { CatalogFeature, catalogFilterFields, CatalogName } from '../schemas/catalog.ts'
import { Count, OptionalNullable, StrictObject, WithDescription } from '../schemas/primitives.ts'
import { StacBaseUrl, StacCatalog, StacCollection, StacLink } from '../schemas/stac.ts'

export const catalogStacLandingOperation = operation({
  id: 'catalog.stac.landing',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read the landing page of the STAC API of the catalogue with its conformance classes and links.',
  input: StrictObject({ base_url: StacBaseUrl }),
  output: StacCatalog,
  extension: true,
})

export const catalogStacCollectionsListOperation = operation({
  id: 'catalog.stac.collections.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the collections of all hosts as STAC Collections.',
  input: StrictObject({ base_url: StacBaseUrl }),
  output: Type.Object({ collections: Type.Array(StacCollection), links: Type.Array(StacLink) }),
  extension: true,
})

export const catalogStacCollectionsGetOperation = operation({
  id: 'catalog.stac.collections.get',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read a collection of the hosts as a STAC Collection.',
  input: StrictObject({
    collection_name: WithDescription('The `id` from the list.', CatalogName),
    base_url: StacBaseUrl,
  }),
  output: StacCollection,
  problems: ['not-found'],
  extension: true,
})

const { collections, ids, ...filters } = catalogFilterFields

/** Query strings have one text where a body has a list. */
const namesOrText = (description: string, names: typeof collections) =>
  WithDescription(description, Type.Union([names, Type.String({ maxLength: 2000 })]))

export const catalogStacSearchOperation = operation({
  id: 'catalog.stac.search',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Search all hosts as the STAC API defines it, newest scenes first.',
  input: StrictObject({
    base_url: StacBaseUrl,
    collections: Type.Optional(namesOrText('Only these collections, by id.', collections)),
    ids: Type.Optional(namesOrText('Only these scenes, by their id at the host.', ids)),
    ...filters,
    ...nextTokenPaging(),
    link_method: OptionalNullable(
      Type.Enum(['GET', 'POST'], { description: 'The method of the link to the next page.' }),
    ),
  }),
  output: Type.Object({
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(CatalogFeature),
    numberReturned: Count,
    links: Type.Array(StacLink),
  }),
  paging: 'token',
  problems: catalogSearchProblems,
  media_type: 'application/geo+json',
  extension: true,
})
