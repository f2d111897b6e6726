import Type, { type Static } from 'typebox'
import { feasibilityStudyLifecycle, quotationLifecycle } from '../lifecycles.ts'
import { limits } from '../limits.ts'
import { AreaOfInterest } from './capture.ts'
import { Area, MultiLineString } from './geojson.ts'
import { AnyObject, Nullable, OptionalNullable, StrictObject, Timestamp, Uuid, WithDescription } from './primitives.ts'

const decisionFields = {
  id: Uuid,
  orderId: Uuid,
  workspaceId: Uuid,
  accountId: Uuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const CreditsCount = Type.Integer({ minimum: 0 })

/** An option of a provider for fulfilling a tasking order. */
export const FeasibilityOption = Type.Object({
  id: Type.String(),
  description: Type.String(),
  acquisitionStart: Nullable(Timestamp),
  acquisitionEnd: Nullable(Timestamp),
  creditsPrice: Nullable(CreditsCount),
})

export const FeasibilityStudy = Type.Object({
  ...decisionFields,
  decision: Type.Enum([...feasibilityStudyLifecycle.states]),
  type: WithDescription(
    '`AUTO`: answered by the host itself; `MANUAL`: by an operator.',
    Type.Enum(['AUTO', 'MANUAL']),
  ),
  options: Type.Array(FeasibilityOption),
  decisionOption: Nullable(Type.Object({ id: Type.String(), description: Type.String() })),
  decisionAt: Nullable(Timestamp),
  decideBy: Nullable(Timestamp),
})

export const Quotation = Type.Object({
  ...decisionFields,
  decision: Type.Enum([...quotationLifecycle.states]),
  creditsPrice: CreditsCount,
  decisionAt: Nullable(Timestamp),
  decideBy: Nullable(Timestamp),
})

/** A feasibility study or quotation that waits for a decision. */
export const PendingDecision = Type.Object({
  kind: Type.Enum(['feasibility', 'quotation']),
  id: Uuid,
  orderId: Uuid,
  workspaceId: Uuid,
  displayName: Type.String(),
  creditsPrice: Nullable(CreditsCount),
  decideBy: Nullable(Timestamp),
  createdAt: Timestamp,
})

/** A window in which a sensor could acquire the area. */
export const TaskingOpportunity = Type.Object({
  id: Type.String(),
  acquisitionStart: Timestamp,
  acquisitionEnd: Timestamp,
  sensor: Type.String(),
  incidenceAngle: Nullable(
    Type.Number({
      description: 'At the acquired part of the area, between straight up and the satellite, in degrees.',
    }),
  ),
  probability: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'That the part of the area that the pass can acquire has at most `maxCloudCover` cloud.',
    }),
  ),
  maxCloudCover: WithDescription(
    'What `probability` is for, per cent: the limit of the request, or without one what the host takes for usable; null if it does not say.',
    Nullable(Type.Number()),
  ),
  creditsPrice: WithDescription(
    'What is held if the pass is ordered: the price of the part of the area that it can acquire; null by quotation.',
    Nullable(CreditsCount),
  ),
  index: Type.Integer({ minimum: 0, description: 'The position of the area in the request.' }),
  dataProduct: Type.String(),
  satellite: Nullable(Type.String()),
  footprint: WithDescription('The part of the area that the pass can acquire.', Area),
  swath: WithDescription(
    'The strip on the surface that the sensor sees; null if the host does not say.',
    Nullable(Area),
  ),
  groundTrack: WithDescription(
    'The subsatellite points, split at the antimeridian; null if the host does not say.',
    Nullable(MultiLineString),
  ),
  offNadirAngle: Nullable(Type.Number({ description: 'Degrees.' })),
  viewAzimuth: Nullable(Type.Number({ description: 'From the area to the satellite, degrees clockwise from north.' })),
  sunElevation: Nullable(Type.Number({ description: 'Degrees above the horizon.' })),
  sunAzimuth: Nullable(Type.Number({ description: 'Degrees clockwise from north.' })),
  coverage: Type.Number({ minimum: 0, maximum: 1, description: 'The share of the area that the pass can acquire.' }),
  cloudCover: Nullable(Type.Number({ description: 'The expected cloud cover, per cent.' })),
  conflict: WithDescription(
    'The task of the same satellite that occupies the pass; null if it is free.',
    Nullable(Type.String()),
  ),
  cancelBy: WithDescription('Until when an order of this pass can be cancelled; null: never.', Nullable(Timestamp)),
})

/** A product that is acquired on order, its price and its cancellation policy. */
export const TaskingProductDescription = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  workflow: WithDescription(
    '`direct`: the price is known when the order is placed; `study` and `quotation`: it is accepted later.',
    Type.Enum(['direct', 'study', 'quotation']),
  ),
  rate_credits: Nullable(Type.Number({ minimum: 0 }), { description: 'Credits per km²; null on request.' }),
  minimum_km2: Type.Number({ minimum: 0, description: 'The least area that is charged.' }),
  min_area_km2: Type.Number({ minimum: 0 }),
  max_area_km2: Type.Number({ minimum: 0 }),
  max_window_days: Type.Number({ minimum: 0 }),
  cancel_policy: Type.Object({
    hours_before_acquisition: Nullable(Type.Number(), {
      description: 'Until so many hours before the planned acquisition; null: not once the host has accepted the task.',
    }),
    fee_pct: Type.Number({ minimum: 0, maximum: 100, description: 'Per cent of the price.' }),
  }),
})

/** A sensor that can be tasked. */
export const TaskingSensor = Type.Object({
  id: Type.String(),
  title: Type.String(),
  provider: Type.String(),
  resolution: Type.String(),
  bands: Type.Array(Type.String()),
  data_products: Type.Array(Type.String()),
  params_schema: AnyObject,
  host: Type.String(),
  satellites: Type.Array(Type.String()),
  gsd_m: Type.Number({ description: 'Ground sample distance at nadir, metres.' }),
  swath_km: Type.Number(),
  max_off_nadir_deg: Type.Number(),
  products: Type.Array(TaskingProductDescription),
})

/** Saved parameters of a tasking order. */
export const TaskingTemplate = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  capture_asap: Type.Boolean(),
  resolution: Type.String(),
  sensor: Type.String(),
  capture_frequency: Type.String(),
  datum: Type.String(),
  file_format: Type.String(),
  has_control: Type.Boolean(),
  max_cloud_coverage: Type.Integer(),
  max_nadir_angle: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const Text = OptionalNullable(Type.String({ maxLength: 2000 }))

export const DataProductReference = WithDescription(
  'A data product by id (`glossary.data_products.list`).',
  Type.String({ minLength: 1, maxLength: limits.max_name_length }),
)

/** An area to acquire within a time window. */
const TaskingGroup = StrictObject({
  name: Text,
  geometry: AreaOfInterest,
  dataProduct: OptionalNullable(DataProductReference),
  sensor: Text,
  acquisitionStart: OptionalNullable(Timestamp),
  acquisitionEnd: OptionalNullable(Timestamp),
  params: OptionalNullable(AnyObject),
})

export const TaskingGroups = Type.Array(TaskingGroup, {
  minItems: 1,
  maxItems: limits.max_tasking_groups,
  description: 'The areas to acquire.',
})

/** The requested acquisition, in `orders.tasking.place` and in a quote for it. */
export const taskingRequestFields = {
  groups: WithDescription('The areas to acquire; required without a quote.', Type.Optional(TaskingGroups)),
  dataProduct: WithDescription('The data product of areas that name none.', OptionalNullable(DataProductReference)),
  template_id: WithDescription('A template with parameters (`orders.tasking.templates.list`).', OptionalNullable(Uuid)),
  params: WithDescription('Parameters of the data product (`orders.get_schema`).', OptionalNullable(AnyObject)),
}

export type FeasibilityOption = Static<typeof FeasibilityOption>
export type PendingDecision = Static<typeof PendingDecision>
export type TaskingOpportunity = Static<typeof TaskingOpportunity>
export type TaskingProductDescription = Static<typeof TaskingProductDescription>
export type TaskingSensor = Static<typeof TaskingSensor>
export type FeasibilityStudy = Static<typeof FeasibilityStudy>
export type Quotation = Static<typeof Quotation>
export type TaskingTemplate = Static<typeof TaskingTemplate>
