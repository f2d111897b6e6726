import Type, { type Static } from 'typebox'
import { CaptureError } from './capture.ts'
import { RequiredEula } from './eula.ts'
import { Nullable, OptionalNullable, StrictObject, Timestamp, Uuid, WithDescription } from './primitives.ts'

const CreditsCount = Type.Integer({ minimum: 0 })
const Aud = Type.Number({ minimum: 0 })

/** Captures that are priced, held and charged together. */
export const PriceGroup = Type.Object({
  captures: Type.Array(Type.String({ description: 'The id of a capture.' })),
  aoi_km2: Type.Number({ minimum: 0, description: 'Charged area; at least the minimum area of the product.' }),
  credits: CreditsCount,
  aud: Aud,
  date: OptionalNullable(Type.String({ description: 'The acquisition date, if the estimate is split by date.' })),
})

/** Until when an order of a product can be cancelled, and what that costs once its host has accepted it. */
export const CancelPolicy = Type.Object({
  cancellable_until: Type.String({
    description:
      'The status from which on it cannot be cancelled, hours before the planned acquisition as `SCHEDULED-24h`, or `never`.',
  }),
  fee_pct: Type.Number({ minimum: 0, maximum: 100, description: 'Per cent of the price.' }),
})

/** The price of one capture, at its own area or as its share of a date group. */
export const EstimateLine = Type.Object({
  id: Type.String({ description: 'The id of the capture.' }),
  host: Type.String(),
  datetime: WithDescription('When the scene was acquired.', Timestamp),
  area_km2: Type.Number({ minimum: 0, description: 'The area of interest inside the footprint.' }),
  minimum_km2: Type.Number({ minimum: 0, description: 'The minimum area of the product; 0 for a free scene.' }),
  cancel_policy: CancelPolicy,
  held_licence: WithDescription(
    'The licence under which the rest of the requested area is held (`exclude_owned`); null if nothing was left out.',
    Nullable(Type.String()),
  ),
  credits: CreditsCount,
  aud: Aud,
  licences: Type.Array(Type.String(), { description: 'Licences that can be ordered; the standard one is first.' }),
})

export const OrderEstimate = Type.Object({
  groups: Type.Array(PriceGroup),
  lines: Type.Array(EstimateLine, {
    description: 'One for each capture that has a price, in the order of the request.',
  }),
  errors: Type.Array(CaptureError),
  eulas: Type.Array(RequiredEula, {
    description: 'The licence agreements of the captures; the order is refused until all are accepted.',
  }),
  total_aud: Aud,
  total_credits: CreditsCount,
})

/** A locked price: an order that names it until it expires is charged this, whatever the prices are then. */
export const OrderQuote = Type.Object({
  quote_id: Uuid,
  expires_at: Timestamp,
  groups: Type.Array(PriceGroup),
  lines: WithDescription('One for each capture; none for areas to acquire.', OrderEstimate.properties.lines),
  eulas: OrderEstimate.properties.eulas,
  total_aud: Aud,
  total_credits: CreditsCount,
})

/** The price of a catalogue scene: of `intersects` if the search has it, or else of the whole footprint. */
export const ServicePrice = Type.Object({
  credits: CreditsCount,
  aud: Type.Optional(Aud),
  unit: Type.Optional(Type.Literal('km2')),
  rate_credits: Type.Optional(Type.Number({ minimum: 0, description: 'Credits per unit.' })),
  minimum_km2: Type.Optional(Type.Number({ minimum: 0 })),
  charged_km2: Type.Optional(Type.Number({ minimum: 0 })),
  product: Type.Optional(Type.String()),
  licences: Type.Optional(Type.Array(Type.String())),
  commitment_id: Type.Optional(Uuid),
  list_rate_credits: Type.Optional(
    Type.Number({ minimum: 0, description: 'The list price; present if a commitment fixes another rate.' }),
  ),
})

/** The reason why a feature cannot be ordered. Clients reject other members. */
export const FeatureError = StrictObject({
  index: Type.Integer({ minimum: 0, description: 'The position of the feature.' }),
  message: Type.String(),
  details: Type.String({ description: 'The code of each error with the scene, such as `unknown-capture: S2A_1`.' }),
})

/** The estimate of a data product, with one result or error per feature of the request. Clients reject other members. */
export const DataProductEstimate = Type.Object({
  summary: Type.Object({ totalCredits: CreditsCount, totalSize: Type.Number(), unit: Type.Literal('SQ_KM') }),
  results: Type.Array(
    StrictObject({
      index: Type.Integer({ minimum: 0, description: 'The position of the feature.' }),
      credits: CreditsCount,
      size: Type.Number({ minimum: 0, description: 'Charged area; at least the minimum area of the product.' }),
      unit: Type.Literal('SQ_KM'),
    }),
  ),
  errors: Type.Array(FeatureError),
  total_aud: Aud,
  total_credits: CreditsCount,
})

export type PriceGroup = Static<typeof PriceGroup>
export type EstimateLine = Static<typeof EstimateLine>
export type OrderEstimate = Static<typeof OrderEstimate>
export type ServicePrice = Static<typeof ServicePrice>
export type FeatureError = Static<typeof FeatureError>
export type DataProductEstimate = Static<typeof DataProductEstimate>
