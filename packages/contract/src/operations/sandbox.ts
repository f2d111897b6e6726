import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import {
  WithDescription,
  Count,
  EmptyInput,
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'

/** The clock of a sandbox organization. It stands still until it is advanced. */
const SandboxClock = Type.Object({
  organization_id: Uuid,
  now: Timestamp,
  seed: Type.String({ description: 'The same seed and the same calls give the same events.' }),
  resets: Count,
  advancing_to: Nullable(Timestamp, {
    description: 'The target of an advance that is in progress, whose progress `now` tells; null if there is none.',
  }),
  next_due_at: Nullable(Timestamp, { description: 'When the next deadline is due; null if there is none.' }),
})

const ClockAdvance = Type.Object({
  now: Timestamp,
  target: Timestamp,
  reached: Type.Boolean({
    description:
      'False if it takes longer than a call waits; the clock moves on: repeat the call with `to` = `target`.',
  }),
  steps: Type.Integer({ minimum: 0, description: 'The due times at which the clock stopped during the call.' }),
})

const times = Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: 'How often it happens.' })
const host = Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only this host.' }))
const reason = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }))

/** The next behaviour of hosts or banks towards a sandbox organization; that of hosts applies to later orders. */
const Scenario = Type.Union([
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
  StrictObject({ kind: Type.Literal('payment.reject_refund'), times }),
  StrictObject({ kind: Type.Literal('payment.refund_charge'), times }),
  StrictObject({ kind: Type.Literal('payment.open_dispute'), times }),
  StrictObject({ kind: Type.Literal('payment.close_disputes'), times, outcome: Type.Enum(['won', 'lost']) }),
])

/** A scenario that still applies. */
const OpenScenario = Type.Object({
  id: Uuid,
  kind: Type.String(),
  host: Nullable(Type.String()),
  remaining: Type.Integer({ minimum: 1 }),
  created_at: Timestamp,
})

export const sandboxClockGetOperation = operation({
  id: 'sandbox.clock.get',
  scope: 'organizations:read',
  effect: 'read',
  summary: 'Read the clock of a sandbox organization.',
  input: EmptyInput,
  output: SandboxClock,
  problems: ['forbidden'],
  extension: true,
})

export const sandboxClockAdvanceOperation = operation({
  id: 'sandbox.clock.advance',
  scope: 'organizations:write',
  effect: 'compute',
  summary: 'Move the clock of a sandbox organization forward; what falls due meanwhile happens in its order.',
  input: StrictObject({
    seconds: OptionalNullable(
      Type.Integer({
        minimum: 0,
        maximum: limits.max_advance_days * 86_400,
        description: 'By how much; 0 runs what is due now. Either this or `to`.',
      }),
    ),
    to: WithDescription('The time to advance to, instead of a duration.', OptionalNullable(Timestamp)),
  }),
  output: ClockAdvance,
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const sandboxScenarioRunOperation = operation({
  id: 'sandbox.scenario.run',
  scope: 'organizations:write',
  effect: 'compute',
  summary: 'Make hosts and banks delay, fail, refuse or lie to a sandbox organization from now on.',
  input: StrictObject({ scenario: WithDescription('What happens, and to which host.', Scenario) }),
  output: Type.Object({ scenarios: Type.Array(OpenScenario) }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
})

export const sandboxResetOperation = operation({
  id: 'sandbox.reset',
  scope: 'organizations:write',
  effect: 'destructive',
  summary: 'End the orders of a sandbox organization, delete its items and set its credits back; its records stay.',
  input: EmptyInput,
  output: Type.Object({
    stopped_orders: Type.Integer({ minimum: 0 }),
    deleted_items: Type.Integer({ minimum: 0 }),
    available_credits: Type.Integer(),
    resets: Type.Integer({ minimum: 1 }),
  }),
  problems: ['forbidden', 'invalid-state', 'upstream'],
  extension: true,
})
