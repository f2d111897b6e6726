import Type, { type Static } from 'typebox'
import { Nullable, StrictObject, Timestamp, Uuid } from './primitives.ts'

const providerFields = {
  name: Type.String({ description: 'For a `HOST`, the `host_name` of the catalogue operations.' }),
  title: Type.String(),
  description: Type.String(),
  roles: Type.Array(Type.Enum(['HOST', 'PRODUCER'])),
}

const CreatedAt = Nullable(Timestamp, { description: 'Since when it is offered, if the host states it.' })

/** A producer or a host of imagery. */
export const GlossaryProvider = StrictObject({ ...providerFields, createdAt: CreatedAt })

/** The price of a product by area; the rate of a commitment of the caller replaces the list rate. */
const ProductPrice = StrictObject({
  unit: Type.Literal('km2'),
  rate_credits: Type.Number({ minimum: 0, description: 'Credits per unit for the caller.' }),
  list_rate_credits: Type.Number({ minimum: 0 }),
  minimum_km2: Type.Number({ minimum: 0, description: 'A smaller area is charged as this one.' }),
  valid_from: Nullable(Type.String({ description: 'The date from which the price is valid.' })),
  commitment_id: Nullable(Uuid, { description: 'The commitment that fixes the rate.' }),
})

const eulaId = Nullable(Uuid, { description: 'The licence agreement to accept before the product is ordered, if any.' })

const productFields = {
  id: Uuid,
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  eulaId,
}

/** A product that can be ordered: the imagery of one collection at one host. */
export const GlossaryDataProduct = StrictObject({
  ...productFields,
  collection: Type.String({ description: 'The `name` of its collection.' }),
  host_name: Type.String(),
  licences: Type.Array(Type.String(), { minItems: 1, description: 'The standard one is first.' }),
  price: Nullable(ProductPrice, { description: 'Null if the product is free.' }),
  createdAt: CreatedAt,
})

/** Properties of the imagery of a collection; a member is absent if the host does not state it. */
const CollectionMetadata = StrictObject({
  productType: Type.Optional(Type.Enum(['OPTICAL', 'SAR', 'ELEVATION'])),
  resolutionClass: Type.Optional(
    Type.Enum(['VERY_HIGH', 'HIGH', 'MEDIUM', 'LOW'], {
      description: 'Of the Copernicus classes: at most 4 m, at most 30 m, at most 300 m, and more.',
    }),
  ),
  resolutionValue: Type.Optional(
    StrictObject({ minimum: Type.Number({ minimum: 0, description: 'Metres per pixel.' }) }),
  ),
})

/** A collection that one or several hosts offer; not a collection of items. */
export const GlossaryCollection = StrictObject({
  name: Type.String({ description: 'The id of the collection in searches.' }),
  title: Type.String(),
  description: Type.String(),
  type: Type.Enum(['ARCHIVE', 'TASKING']),
  integrations: Type.Array(Type.Enum(['SEARCH_AVAILABLE', 'QUICKLOOK_AVAILABLE', 'PRICE_ESTIMATION_AVAILABLE'])),
  providers: Type.Array(StrictObject(providerFields)),
  dataProducts: Type.Array(StrictObject(productFields)),
  metadata: CollectionMetadata,
  createdAt: CreatedAt,
})

export type GlossaryProvider = Static<typeof GlossaryProvider>
export type GlossaryDataProduct = Static<typeof GlossaryDataProduct>
export type GlossaryCollection = Static<typeof GlossaryCollection>
