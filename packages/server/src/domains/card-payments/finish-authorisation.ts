import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import type { HoldRow } from '../ledger/store.holds.ts'
import { deleteDeadline } from '../ledger/store.deadlines.ts'
import { endFreePlan } from '../organizations/change-plan.ts'
import { enqueueCaptureOrVoid } from './authorise-card.ts'
import { findAuthorisationOfHold, updateAuthorisationState } from './store.authorisations.ts'

/** After a card hold was resolved in the ledger: enqueues the capture or void at the processor. */
export async function finishCardAuthorisation(
  tx: Tx,
  actor: Actor,
  hold: HoldRow,
  captured_credits: number,
): Promise<void> {
  if (hold.mode !== 'card') return
  const row = await findAuthorisationOfHold(tx, actor.organization, hold.id)
  if (!row) return
  const transition = captured_credits > 0 ? 'capture' : 'release'
  const now = actor.clock.now()
  await updateAuthorisationState(tx, {
    organization: actor.organization,
    id: row.id,
    name: transition,
    change: { captured_credits },
    at: now,
  })
  await deleteDeadline(tx, actor.organization, 'card-renewal', row.id)
  await enqueueCaptureOrVoid(tx, actor, row.id)
  if (captured_credits > 0) await endFreePlan(tx, actor)
}
