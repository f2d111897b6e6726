import { day_ms } from '@swath/geo/time-units.ts'
import type { Actor } from '../../engine/actor.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import type { Tx } from '../../platform/database/database.ts'
import { deleteBillingDeadline, upsertBillingDeadline } from '../ledger/store.deadlines.ts'
import { endFreePlan } from '../organizations/change-plan.ts'
import type { CardAuthorisationTransitionName } from './authorisation-lifecycle.ts'
import {
  updateCardAuthorisationState,
  type CardAuthorisationChange,
  type CardAuthorisationRow,
} from './store.authorisations.ts'

type Effect = (tx: Tx, actor: Actor, row: CardAuthorisationRow) => Promise<unknown>

/** The effects of transitions, in their transaction and in this order; the processor is called by tasks. */
const effects: Readonly<Partial<Record<CardAuthorisationTransitionName, readonly Effect[]>>> = {
  attach_to_hold: [deleteTimeout, scheduleReauthorisation],
  abandon: [deleteTimeout, enqueueCaptureOrVoid],
  reauthorise: [scheduleReauthorisation],
  capture: [deleteRenewal, enqueueCaptureOrVoid, endFreePlan],
  release: [deleteRenewal, enqueueCaptureOrVoid],
}

/** Applies a transition with its effects; null, with nothing written, if the state of the authorisation does not allow it. */
export async function applyCardAuthorisationTransition(
  tx: Tx,
  actor: Actor,
  {
    id,
    name,
    change = {},
  }: { readonly id: string; readonly name: CardAuthorisationTransitionName; readonly change?: CardAuthorisationChange },
): Promise<CardAuthorisationRow | null> {
  const { organization, clock } = actor
  const row = await updateCardAuthorisationState(tx, { organization, id, name, change, at: clock.now() })
  // A new intent without an end is not renewed, whatever the end of the previous one was.
  if (row) for (const apply of effects[name] ?? []) await apply(tx, actor, { ...row, ...change })
  return row
}

function deleteTimeout(tx: Tx, { organization }: Actor, { id }: CardAuthorisationRow): Promise<void> {
  return deleteBillingDeadline(tx, organization, 'authorisation-abandoned', id)
}

function deleteRenewal(tx: Tx, { organization }: Actor, { id }: CardAuthorisationRow): Promise<void> {
  return deleteBillingDeadline(tx, organization, 'card-renewal', id)
}

function enqueueCaptureOrVoid(tx: Tx, { organization, queue }: Actor, { id }: CardAuthorisationRow): Promise<void> {
  return queue.enqueue(tx, backgroundTaskTypes.captureOrVoid, { organization_id: organization, authorisation_id: id })
}

/** Schedules the reauthorisation before the authorisation expires, and the expiry of the hold no later than that. */
async function scheduleReauthorisation(
  tx: Tx,
  { organization, clock }: Actor,
  { id, hold_id, capture_before }: CardAuthorisationRow,
): Promise<void> {
  if (hold_id === null || capture_before === null) return
  const left_ms = capture_before.getTime() - clock.now().getTime()
  const due_at = new Date(capture_before.getTime() - Math.min(day_ms, left_ms / 2))
  await upsertBillingDeadline(tx, { organization, kind: 'card-renewal', subject: id, due_at })
  await upsertBillingDeadline(tx, { organization, kind: 'hold-expiry', subject: hold_id, due_at: capture_before })
}
