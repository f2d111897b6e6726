import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { PageEnvelope, pageNumberPaging } from '../paging.ts'
import { GlossaryCollection, GlossaryDataProduct, GlossaryProvider } from '../schemas/glossary.ts'
import { WithDefault, WithDescription, StrictObject, OptionalNullable, Nullable } from '../schemas/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: 500, description: 'The `name` from the list.' })
const optionalText = OptionalNullable(Type.String({ maxLength: 500 }))
const pageFields = pageNumberPaging({ ...limits.page_size, default: 10 })
const sortField = (value: string, fields = 'createdAt|name|title|description') =>
  WithDefault(
    Nullable(Type.String({ pattern: `^(${fields}),(asc|desc)$`, description: 'Field and direction.' })),
    value,
  )

export const glossaryCollectionsListOperation = operation({
  id: 'glossary.collections.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the collections that hosts offer.',
  input: StrictObject({
    integrations: WithDescription(
      'Integrations that a collection must have, comma-separated, such as `SEARCH_AVAILABLE`.',
      optionalText,
    ),
    type: WithDescription('Collection type: `ARCHIVE` or `TASKING`.', optionalText),
    ...pageFields,
    sort: sortField('createdAt,desc', 'createdAt|name|title|description|type'),
  }),
  output: PageEnvelope(GlossaryCollection),
  paging: 'page',
})

export const glossaryCollectionsGetOperation = operation({
  id: 'glossary.collections.get',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read a collection that a host offers.',
  input: StrictObject({ collection_name: Name }),
  output: Type.Object({ collection: GlossaryCollection }),
  problems: ['not-found'],
})

export const glossaryDataProductsListOperation = operation({
  id: 'glossary.data_products.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the data products that can be ordered.',
  input: StrictObject({
    dataProductId: WithDescription('Ids of products, comma-separated.', optionalText),
    ...pageFields,
    sort: sortField('createdAt,desc'),
  }),
  output: PageEnvelope(GlossaryDataProduct),
  paging: 'page',
})

export const glossaryDataProductsGetOperation = operation({
  id: 'glossary.data_products.get',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read a data product.',
  input: StrictObject({ data_product_name: Name }),
  output: Type.Object({ data_product: GlossaryDataProduct }),
  problems: ['not-found'],
})

export const glossaryProvidersListOperation = operation({
  id: 'glossary.providers.list',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'List the producers and hosts of imagery.',
  input: StrictObject({
    ...pageFields,
    sort: sortField('name,desc'),
    role: WithDescription('Role, such as `HOST` or `PRODUCER`.', optionalText),
  }),
  output: PageEnvelope(GlossaryProvider),
  paging: 'page',
})

export const glossaryProvidersGetOperation = operation({
  id: 'glossary.providers.get',
  scope: 'catalog:read',
  effect: 'read',
  summary: 'Read a producer or host of imagery.',
  input: StrictObject({ provider_name: Name }),
  output: Type.Object({ provider: GlossaryProvider }),
  problems: ['not-found'],
})
