import Type, { type Static } from 'typebox'
import { CaptureError } from './capture.ts'
import { RequiredEula } from './eula.ts'
import { OptionalNullable, Timestamp, Uuid, WithDescription } from './primitives.ts'

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

/** The price of one capture, at its own area or as its share of a date group. */
export const EstimateLine = Type.Object({
  id: Type.String({ description: 'The id of the capture.' }),
  host: Type.String(),
  datetime: WithDescription('When the scene was acquired.', Timestamp),
  area_km2: Type.Number({ minimum: 0, description: 'The area of interest inside the footprint.' }),
  minimum_km2: Type.Number({ minimum: 0, description: 'The minimum area of the product; 0 for a free scene.' }),
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
  lines: OrderEstimate.properties.lines,
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

/** The estimate of a data product, with one result per feature of the request. */
export const DataProductEstimate = Type.Object({
  summary: Type.Object({ totalCredits: CreditsCount, totalSize: Type.Number(), unit: Type.String() }),
  results: Type.Array(
    Type.Object({ index: Type.Integer(), credits: CreditsCount, size: Type.Number(), unit: Type.String() }),
  ),
  errors: Type.Array(Type.Object({ index: Type.Integer(), message: Type.String(), details: Type.String() })),
})

export type PriceGroup = Static<typeof PriceGroup>
export type EstimateLine = Static<typeof EstimateLine>
export type OrderEstimate = Static<typeof OrderEstimate>
export type ServicePrice = Static<typeof ServicePrice>
export type DataProductEstimate = Static<typeof DataProductEstimate>
