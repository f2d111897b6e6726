import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { EmptyInput, OptionalNullable, StrictObject, Timestamp } from '../schemas/primitives.ts'
import { ClockAdvance, OpenScenario, SandboxClock, Scenario } from '../schemas/sandbox.ts'

export const sandboxClockGetOperation = operation({
  id: 'sandbox.clock.get',
  scope: 'organizations:read',
  effect: 'read',
  summary: 'Read the clock of a sandbox organization.',
  input: EmptyInput,
  output: SandboxClock,
  problems: ['forbidden'],
  extension: true,
  implemented: true,
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
    to: OptionalNullable(Timestamp),
  }),
  output: ClockAdvance,
  problems: ['forbidden', 'invalid-state'],
  extension: true,
  implemented: true,
})

export const sandboxScenarioRunOperation = operation({
  id: 'sandbox.scenario.run',
  scope: 'organizations:write',
  effect: 'compute',
  summary: 'Make hosts and banks delay, fail, refuse or lie to a sandbox organization from now on.',
  input: StrictObject({ scenario: Scenario }),
  output: Type.Object({ scenarios: Type.Array(OpenScenario) }),
  problems: ['forbidden', 'invalid-state'],
  extension: true,
  implemented: true,
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
  problems: ['forbidden', 'invalid-state'],
  extension: true,
  implemented: true,
})
