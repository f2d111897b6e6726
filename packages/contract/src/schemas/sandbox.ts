import Type, { type Static } from 'typebox'
import { Count, Nullable, StrictObject, Timestamp, Uuid } from './primitives.ts'

/** The clock of a sandbox organization. It stands still until it is advanced. */
export const SandboxClock = Type.Object({
  organization_id: Uuid,
  now: Timestamp,
  seed: Type.String({ description: 'The same seed and the same calls give the same events.' }),
  resets: Count,
  next_due_at: Nullable(Timestamp, { description: 'When the next deadline is due; null if there is none.' }),
})

export const ClockAdvance = Type.Object({
  now: Timestamp,
  target: Timestamp,
  reached: Type.Boolean({ description: 'False if the limit of one call was reached: repeat it with `to` = `target`.' }),
  steps: Type.Integer({ minimum: 1, description: 'The due times at which the clock stopped.' }),
})

const times = Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'How often it happens.' })
const host = Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this host.' }))
const reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))

/** What hosts and banks do next towards a sandbox organization. Those of hosts apply to orders that are placed later. */
export const Scenario = Type.Union([
  StrictObject({
    kind: Type.Literal('host.delay'),
    host,
    times,
    seconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }),
  }),
  StrictObject({
    kind: Type.Literal('host.partial_delivery'),
    host,
    times,
    missing_scenes: Type.Integer({ minimum: 1, maximum: 1000 }),
  }),
  StrictObject({ kind: Type.Literal('host.refuse_order'), host, times, reason }),
  StrictObject({ kind: Type.Literal('host.refuse_delivery'), host, times, reason }),
  StrictObject({ kind: Type.Literal('host.fail'), host, times }),
  StrictObject({ kind: Type.Literal('host.lose_response'), host, times }),
  StrictObject({
    kind: Type.Literal('host.wrong_checksum'),
    host,
    times,
    deliveries: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  StrictObject({ kind: Type.Literal('payment.decline'), times }),
  StrictObject({ kind: Type.Literal('payment.end_authorisations'), times }),
  StrictObject({ kind: Type.Literal('payment.lose_notification'), times }),
])

export type Scenario = Static<typeof Scenario>

export const scenarioKinds = [
  'host.delay',
  'host.partial_delivery',
  'host.refuse_order',
  'host.refuse_delivery',
  'host.fail',
  'host.lose_response',
  'host.wrong_checksum',
  'payment.decline',
  'payment.end_authorisations',
  'payment.lose_notification',
] as const

/** A scenario that still applies. */
export const OpenScenario = Type.Object({
  id: Uuid,
  kind: Type.Enum([...scenarioKinds]),
  host: Nullable(Type.String()),
  remaining: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
})
