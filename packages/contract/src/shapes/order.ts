import Type, { type Static } from 'typebox'
import { orderLifecycle } from '../lifecycles.ts'
import { ManifestAsset } from './asset.ts'
import { Geometry } from './geojson.ts'
import { PriceGroup } from './price.ts'
import { Bbox, Count, Currency, Described, Nullable, Open, Timestamp, Uuid } from './primitives.ts'

export const orderTypes = ['archive', 'tasking'] as const
export const billingModes = ['credit', 'card', 'enterprise'] as const

/** What an order is called while it is being placed; lists and events use the states of the life cycle. */
export const placementPhases = ['processing', 'awaiting_data'] as const

export const OrderStatus = Type.Enum([...orderLifecycle.states])

const head = {
  id: Uuid,
  orderType: Type.Enum([...orderTypes]),
  billingMode: Type.Enum([...billingModes]),
  currency: Currency,
  totalAud: Type.Number({ minimum: 0 }),
  totalCredits: Count,
  groups: Type.Array(PriceGroup),
  projectId: Uuid,
}

/** The answer of placing an order. */
export const PlacedOrder = Type.Object({
  ...head,
  status: Described(
    '`processing` when everything can be had at once, `awaiting_data` when a host must deliver first.',
    Type.Enum([...placementPhases]),
  ),
})

/** One step that an order took. */
export const StatusChange = Type.Object({
  at: Timestamp,
  from: Nullable(OrderStatus),
  to: OrderStatus,
  reason_code: Nullable(Type.String()),
  reason_text: Nullable(Type.String()),
  actor: Nullable(Type.String({ description: 'The principal, or null for the platform itself.' })),
})

export const FailureReason = Type.Object({ code: Type.String(), text: Type.String() })

export const Order = Type.Object({
  ...head,
  status: OrderStatus,
  subStatus: Nullable(Type.String()),
  statusHistory: Type.Array(StatusChange),
  failureReason: Nullable(FailureReason),
  fulfillment: Described('Null until the order has ended.', Nullable(Type.Enum(['complete', 'partial', 'none']))),
  displayName: Type.String(),
  tags: Type.Array(Type.String()),
  licenseType: Described(
    'The licence that was asked for, else the one of all captures; null where their products differ.',
    Nullable(Type.String()),
  ),
  dataProductId: Nullable(Type.String()),
  collectionId: Nullable(Uuid),
  itemCount: Count,
  creditsCaptured: Count,
  creditsRefunded: Count,
  createdBy: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** What was delivered, as a FeatureCollection. */
export const DeliveryManifest = Type.Object({
  type: Type.Literal('FeatureCollection'),
  order_id: Uuid,
  collection_id: Nullable(Uuid),
  project_id: Uuid,
  item_count: Count,
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature'),
      id: Type.String(),
      item_id: Uuid,
      collection: Nullable(Type.String()),
      geometry: Nullable(Geometry),
      bbox: Nullable(Bbox),
      properties: Type.Object({ datetime: Nullable(Timestamp), gsd: Nullable(Type.Number()) }),
      stac_extensions: Type.Array(Type.String()),
      assets: Type.Record(Type.String(), ManifestAsset),
    }),
  ),
})

const part = Type.Object({
  sqKmArea: Type.Number({ minimum: 0 }),
  percentage: Type.Number({ minimum: 0, maximum: 100 }),
  geometry: Nullable(Geometry),
})

/** How much of the ordered area has been delivered. */
export const Coverage = Type.Object({ order_id: Uuid, covered: part, remainder: part })

/** The coverage of one group of a delivery. */
export const CoverageGroup = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String()),
  captures: Type.Array(Type.String()),
  item_ids: Type.Array(Uuid),
  covered: part,
  remainder: part,
})

/** What a data product accepts: a JSON Schema and the rule for cancelling. */
export const ProductSchema = Type.Object({
  data_product_id: Type.String(),
  schema: Open,
  cancel_policy: Type.Object({
    cancellable_until: Type.String({ description: 'A state, or hours before the acquisition, or `never`.' }),
    fee_pct: Type.Number({ minimum: 0, maximum: 100 }),
  }),
})

export type PlacedOrder = Static<typeof PlacedOrder>
export type StatusChange = Static<typeof StatusChange>
export type FailureReason = Static<typeof FailureReason>
export type Order = Static<typeof Order>
export type DeliveryManifest = Static<typeof DeliveryManifest>
export type Coverage = Static<typeof Coverage>
