import Type, { type Static, type TProperties, type TObject } from 'typebox'
import { Nullable, StrictObject } from '../schemas/primitives.ts'

/** A kind of event: what happened, the closed schema of its `data`, and data as the platform emits it. */
export interface EventDefinition {
  readonly summary: string
  readonly data: TObject
  readonly example: Readonly<Record<string, unknown>>
}

/** Declares a kind of event; `data` has exactly these members. */
export const defineEvent = <P extends TProperties>(
  summary: string,
  properties: P,
  example: Static<TObject<P>>,
): EventDefinition => ({
  summary,
  data: StrictObject(properties),
  example: example as Readonly<Record<string, unknown>>,
})

export const EventText = Type.String()
export const OptionalEventText = Type.Optional(EventText)
export const NullableEventText = Nullable(EventText)
export const AmountInAud = Type.Number({ minimum: 0, description: 'AUD.' })
export const EventTimestamp = Type.String({ description: 'RFC 3339 in UTC.' })

/** Ids of the examples; each names another kind of entity. */
export const exampleEntityIds = {
  project: '01900000-0000-7000-8000-000000000001',
  collection: '01900000-0000-7000-8000-000000000002',
  item: '01900000-0000-7000-8000-000000000003',
  asset: '01900000-0000-7000-8000-000000000004',
  order: '01900000-0000-7000-8000-000000000005',
  hold: '01900000-0000-7000-8000-000000000006',
  lot: '01900000-0000-7000-8000-000000000007',
  subscription: '01900000-0000-7000-8000-000000000008',
  decision: '01900000-0000-7000-8000-000000000009',
  rule: '01900000-0000-7000-8000-00000000000a',
  user: '01900000-0000-7000-8000-00000000000b',
  invoice: '01900000-0000-7000-8000-00000000000c',
  invitation: '01900000-0000-7000-8000-00000000000d',
  provider: '01900000-0000-7000-8000-00000000000e',
  scim_token: '01900000-0000-7000-8000-00000000000f',
} as const
