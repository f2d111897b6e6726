import Type, { type Static } from 'typebox'
import { orderLifecycle } from '../lifecycles.ts'
import { limits } from '../limits.ts'
import { ManifestAsset } from './asset.ts'
import { AreaOfInterest } from './capture.ts'
import { Area, Geometry } from './geojson.ts'
import { CancelPolicy, PriceGroup } from './price.ts'
import { Bbox, Count, Credits, Currency, WithDescription, Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

export const orderTypes = ['archive', 'tasking'] as const
export const billingModes = ['credit', 'card', 'enterprise'] as const

/** The status in the response of placing an order; lists and events use the states of the lifecycle. */
export const placementStatuses = ['processing', 'awaiting_data'] as const

export const OrderStatus = Type.Enum([...orderLifecycle.states])

const commonOrderFields = {
  id: Uuid,
  orderType: Type.Enum([...orderTypes]),
  billingMode: Type.Enum([...billingModes]),
  currency: Currency,
  totalAud: Type.Number({ minimum: 0 }),
  totalCredits: Count,
  groups: Type.Array(PriceGroup),
  projectId: Uuid,
}

/** Areas to order. An area that cannot be ordered is an error of its own feature and does not fail the others. */
export const OrderAreas = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(
    Type.Object({
      type: Type.Literal('Feature'),
      geometry: Nullable(AreaOfInterest),
      properties: Type.Optional(Nullable(AnyObject)),
    }),
    { maxItems: limits.max_order_features },
  ),
})

/** The response of placing an order. */
export const PlacedOrder = Type.Object({
  ...commonOrderFields,
  status: WithDescription(
    '`processing` if all data is available now, `awaiting_data` if a host must deliver first.',
    Type.Enum([...placementStatuses]),
  ),
})

/** One status transition of an order. */
export const OrderStatusChange = Type.Object({
  at: Timestamp,
  from: Nullable(OrderStatus),
  to: OrderStatus,
  reason_code: Nullable(Type.String()),
  reason_text: Nullable(Type.String()),
  actor: Nullable(Type.String({ description: 'The principal; null for the platform itself.' })),
})

export const OrderFailureReason = Type.Object({ code: Type.String(), text: Type.String() })

/** An ordered scene. */
export const OrderCapture = Type.Object({
  id: Type.String(),
  host: Type.String(),
  datetime: WithDescription('When the scene was acquired.', Timestamp),
  item_id: WithDescription('The item that the delivery creates.', Uuid),
  credits: Count,
  deliveredAt: Nullable(Timestamp),
  productVersion: Nullable(Type.Integer(), {
    description: 'The version of the data product under which it was ordered; null: the terms of the host.',
  }),
  geometry: Type.Optional(
    WithDescription('The ordered area of interest; only in the response of `orders.get`.', AnyObject),
  ),
})

export const Order = Type.Object({
  ...commonOrderFields,
  organizationId: Uuid,
  status: OrderStatus,
  subStatus: Nullable(Type.String()),
  statusHistory: Type.Array(OrderStatusChange),
  failureReason: Nullable(OrderFailureReason),
  fulfillment: WithDescription(
    'Null until the order is in a final state.',
    Nullable(Type.Enum(['complete', 'partial', 'none'])),
  ),
  displayName: Type.String(),
  tags: Type.Array(Type.String()),
  licenseType: WithDescription(
    'The requested licence, or else that of the captures; null if the captures have different ones.',
    Nullable(Type.String()),
  ),
  dataProductId: WithDescription(
    'The data product of the captures (`glossary.data_products.list`); null if they have different ones.',
    Nullable(Type.String()),
  ),
  cancellation: WithDescription(
    'Whether `orders.cancel` works now, until which status it does, and what it costs now.',
    Type.Object({
      is_cancellable: Type.Boolean(),
      cancellable_until: CancelPolicy.properties.cancellable_until,
      fee_credits: Count,
      cancel_by: WithDescription('Until when; null without a time.', Nullable(Timestamp)),
    }),
  ),
  tasking: WithDescription(
    'What a tasking order acquires: the window of all areas and the constraints of the first; null for an archive order.',
    Nullable(
      Type.Object({
        acquisitionStart: Timestamp,
        acquisitionEnd: Timestamp,
        sensor: Nullable(Type.String()),
        maxCloudCover: Nullable(Type.Number()),
        maxOffNadirAngle: Nullable(Type.Number()),
        minSunElevation: Nullable(Type.Number()),
        replan: Type.Boolean(),
        areaCount: Count,
        passes: Type.Array(
          Type.Object({
            area: Type.Integer({ minimum: 1, description: 'The number of the area, from 1.' }),
            at: Timestamp,
            satellite: Nullable(Type.String(), { description: 'Null until the host has planned the pass.' }),
            cloudCover: Nullable(Type.Number(), { description: 'Per cent, once acquired.' }),
            accepted: Nullable(Type.Boolean(), {
              description: 'Whether what was acquired satisfies the constraints; null while it is to come.',
            }),
          }),
          { description: 'When the areas are acquired, soonest first; empty before a price is accepted.' },
        ),
        geometry: Type.Optional(
          WithDescription(
            'The areas; in the response of `orders.get`, and of `orders.list` with `include_areas`.',
            Area,
          ),
        ),
      }),
    ),
  ),
  collectionId: Nullable(Uuid),
  captures: Type.Array(OrderCapture, { description: 'The ordered scenes; lists have the first four of each order.' }),
  captureCount: Count,
  itemCount: Count,
  creditsCaptured: Count,
  creditsRefunded: Count,
  createdBy: Nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const orderTimelineKinds = ['status', 'sub_status', 'delivery'] as const
export const orderTimelineActors = ['customer', 'host', 'platform'] as const

/** An event in the history of an order: a change of its status, or the delivery of a scene. */
export const OrderTimelineEntry = Type.Object({
  at: Timestamp,
  kind: Type.Enum([...orderTimelineKinds]),
  status: WithDescription('The status of the order from then on.', OrderStatus),
  sub_status: WithDescription('The new `subStatus` of a tasking order.', Nullable(Type.String())),
  stapi_status: Type.String({
    description:
      'The status in the words of the Sensor Tasking API: `received`, `accepted`, `processing`, `completed`, …',
  }),
  reason_code: Nullable(Type.String()),
  reason_text: Nullable(Type.String()),
  actor: Nullable(Type.String({ description: 'The principal; null for the platform itself.' })),
  capture_id: Nullable(Type.String({ description: 'The delivered scene.' })),
  item_id: Nullable(Uuid),
})

/** The history of an order, and the next step that it waits for. */
export const OrderTimeline = Type.Object({
  order_id: Uuid,
  entries: Type.Array(OrderTimelineEntry),
  next: WithDescription(
    'What the order waits for; null in a final state.',
    Nullable(
      Type.Object({
        actor: WithDescription('Who has to act.', Type.Enum([...orderTimelineActors])),
        action: Type.String({ description: 'What has to happen, in a sentence.' }),
        host_names: Type.Array(Type.String(), { description: 'The hosts that are waited for.' }),
        next_check_at: WithDescription('When the platform asks or tries again.', Nullable(Timestamp)),
      }),
    ),
  ),
})

/** The delivered items as a FeatureCollection. */
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

const CoveragePart = Type.Object({
  sqKmArea: Type.Number({ minimum: 0 }),
  percentage: Type.Number({ minimum: 0, maximum: 100 }),
  geometry: Nullable(Geometry),
})

/** The delivered part of the ordered area, and the remainder. */
export const OrderCoverage = Type.Object({ order_id: Uuid, covered: CoveragePart, remainder: CoveragePart })

/** The coverage of the captures of one product and date, which one estimate by date prices together. */
export const OrderCoverageGroup = Type.Object({
  id: Type.String({ description: 'The host, the collection and the date.' }),
  name: Nullable(
    Type.String({ description: 'The title of the collection; null if the host is not offered any more.' }),
  ),
  date: Type.String({ description: 'The date of the acquisition, in UTC.' }),
  captures: Type.Array(Type.String(), { description: 'The ids of the scenes.' }),
  item_ids: Type.Array(Uuid, { description: 'The delivered items.' }),
  covered: CoveragePart,
  remainder: CoveragePart,
})

/** The parameters that a data product accepts, as a JSON Schema, and its cancellation policy. */
export const DataProductSchema = Type.Object({
  data_product_id: Type.String(),
  schema: AnyObject,
  cancel_policy: CancelPolicy,
})

export const StandingOrderMode = Type.Enum(['buy', 'ask'], {
  description: '`buy` orders each new scene; `ask` proposes it, and a person decides.',
})

export const StandingOrderStatus = Type.Enum(['active', 'paused', 'suspended'])

export const StandingOrderSceneStatus = Type.Enum(['pending', 'proposed', 'ordered', 'rejected', 'skipped'])

/** An order for every new scene of a saved search, within caps. */
export const StandingOrder = Type.Object({
  id: Uuid,
  name: Type.String(),
  saved_search_id: Uuid,
  project_id: WithDescription('The project of the deliveries.', Uuid),
  mode: StandingOrderMode,
  data_product_id: Nullable(Type.String(), { description: 'Only scenes of this data product are ordered.' }),
  license_type: Nullable(Type.String()),
  max_credits_per_scene: Credits,
  max_credits_per_month: Credits,
  month_credits: WithDescription('Held and charged for orders of the current calendar month (UTC).', Credits),
  status: StandingOrderStatus,
  status_reason: Nullable(Type.String({ description: 'Why it is suspended.' })),
  capped_until: WithDescription(
    'Set if the cap of the month is reached: no scene is ordered or proposed before then.',
    Nullable(Timestamp),
  ),
  created_by: WithDescription('The user as whom it orders.', Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The outcome of a standing order for one new scene. */
export const StandingOrderScene = Type.Object({
  source_id: Type.String(),
  scene_id: Type.String(),
  acquired_at: Timestamp,
  status: StandingOrderSceneStatus,
  reason: Nullable(Type.String({ description: 'Why the scene was skipped, or is proposed instead of ordered.' })),
  credits: Nullable(Credits, { description: 'The price when it was proposed or ordered.' }),
  order_id: Nullable(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type PlacedOrder = Static<typeof PlacedOrder>
export type OrderStatusChange = Static<typeof OrderStatusChange>
export type OrderFailureReason = Static<typeof OrderFailureReason>
export type OrderCapture = Static<typeof OrderCapture>
export type Order = Static<typeof Order>
export type OrderTimeline = Static<typeof OrderTimeline>
export type OrderTimelineEntry = Static<typeof OrderTimelineEntry>
export type DeliveryManifest = Static<typeof DeliveryManifest>
export type OrderCoverage = Static<typeof OrderCoverage>
export type StandingOrder = Static<typeof StandingOrder>
export type StandingOrderScene = Static<typeof StandingOrderScene>
