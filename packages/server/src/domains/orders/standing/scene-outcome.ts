import type { ProblemName } from '@swath/contract/problems.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Problem } from '../../../engine/problem.ts'
import { shiftTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { emitEvent } from '../../events/emit.ts'
import { StandingOrderCapReached, toOrganizationMonth } from './month-cap.ts'
import { suspendStandingOrder } from './standing-order.ts'
import { markStandingOrderCapped, type StandingOrderRow } from './store.standing-orders.ts'
import {
  updateStandingOrderSceneAttempt,
  updateStandingOrderSceneStatus,
  type StandingOrderSceneKey,
  type StandingOrderSceneRow,
} from './store.standing-scenes.ts'

/** The next step for a pending scene that was not ordered. */
export type StandingOrderSceneOutcome =
  | { readonly kind: 'skip' | 'retry' | 'suspend'; readonly reason: string }
  | { readonly kind: 'propose'; readonly reason: string | null; readonly credits: number }
  | { readonly kind: 'cap'; readonly reason: string; readonly month_credits: number }

/** The outcome of a scene by the problem that refuses its order; after other problems the scene is skipped. */
const kindByProblem: Partial<Record<ProblemName, 'retry' | 'suspend' | 'propose'>> = {
  upstream: 'retry',
  unavailable: 'retry',
  'idempotency-in-flight': 'retry',
  'not-a-member': 'suspend',
  'not-found': 'suspend',
  'invalid-state': 'suspend',
  'eula-not-accepted': 'propose',
  'insufficient-credits': 'propose',
  'past-due': 'propose',
  'payment-action-required': 'propose',
  'payment-declined': 'propose',
  'spend-limit-exceeded': 'propose',
}

/** `credits` is the price, if the scene was priced. A refused payment and a missing agreement become a proposal: a person may pay or accept it later. */
export function toStandingOrderSceneOutcome(problem: Problem, credits: number | null): StandingOrderSceneOutcome {
  const reason = problem.message
  if (problem instanceof StandingOrderCapReached) return { kind: 'cap', reason, month_credits: problem.month_credits }
  const kind = kindByProblem[problem.problem] ?? 'skip'
  if (kind !== 'propose') return { kind, reason }
  return credits === null ? { kind: 'skip', reason } : { kind, reason, credits }
}

const first_retry_ms = 5 * 60_000
const max_attempts = 12

interface PendingScene {
  readonly key: StandingOrderSceneKey
  readonly row: StandingOrderRow
  readonly scene: StandingOrderSceneRow
}

type OutcomeWriters = {
  readonly [Kind in StandingOrderSceneOutcome['kind']]: (
    tx: Tx,
    actor: Actor,
    pending: PendingScene,
    outcome: Extract<StandingOrderSceneOutcome, { readonly kind: Kind }> & StandingOrderSceneOutcome,
  ) => Promise<void>
}

const skip = async (tx: Tx, actor: Actor, { key }: PendingScene, reason: string): Promise<void> => {
  await updateStandingOrderSceneStatus(tx, key, { from: 'pending', to: 'skipped', reason, now: actor.clock.now() })
}

const writers: OutcomeWriters = {
  skip: (tx, actor, pending, { reason }) => skip(tx, actor, pending, String(reason)),
  retry: async (tx, actor, pending, { reason }) => {
    const { attempts } = pending.scene
    if (attempts + 1 >= max_attempts) return skip(tx, actor, pending, String(reason))
    const next_attempt_at = shiftTime(actor.clock.now(), first_retry_ms * 2 ** Math.min(attempts, 8))
    await updateStandingOrderSceneAttempt(tx, pending.key, { reason: String(reason), next_attempt_at })
  },
  suspend: async (tx, actor, pending, { reason }) => {
    await suspendStandingOrder(tx, actor, pending.row.id, String(reason))
    await skip(tx, actor, pending, 'The standing order was suspended.')
  },
  propose: async (tx, actor, { key, row }, { reason, credits }) => {
    const change = { from: 'pending', to: 'proposed', reason, credits, now: actor.clock.now() } as const
    if (!(await updateStandingOrderSceneStatus(tx, key, change))) return
    const { source_id, scene_id } = key
    await emitEvent(tx, actor, {
      kind: 'standing_order.proposed',
      entity_type: 'standing_order',
      entity_id: row.id,
      data: { source_id, scene_id, credits, reason },
    })
  },
  cap: async (tx, actor, pending, { reason, month_credits }) => {
    const { id, max_credits_per_month } = pending.row
    const now = actor.clock.now()
    const { end: until } = toOrganizationMonth(now)
    await skip(tx, actor, pending, reason)
    if (!(await markStandingOrderCapped(tx, actor.organization, id, { until, now }))) return
    await emitEvent(tx, actor, {
      kind: 'standing_order.cap_reached',
      entity_type: 'standing_order',
      entity_id: id,
      data: { max_credits_per_month, month_credits, until: until.toISOString() },
    })
  },
}

/** Writes an outcome with its event. Changes nothing if the scene is not pending any more. */
export const writeStandingOrderSceneOutcome = (
  tx: Tx,
  actor: Actor,
  pending: PendingScene,
  outcome: StandingOrderSceneOutcome,
): Promise<void> => writers[outcome.kind](tx, actor, pending, outcome as never)
