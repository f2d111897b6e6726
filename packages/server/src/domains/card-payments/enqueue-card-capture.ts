import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import type { CreditHoldRow } from '../ledger/store.holds.ts'
import { applyCardAuthorisationTransition } from './authorisation-transitions.ts'
import { findCardAuthorisationOfHold } from './store.authorisations.ts'

/** After a card hold was resolved in the ledger: enqueues the capture or void at the processor. */
export async function enqueueCardCaptureOrVoid(
  tx: Tx,
  actor: Actor,
  hold: CreditHoldRow,
  captured_credits: number,
): Promise<void> {
  if (hold.mode !== 'card') return
  const row = await findCardAuthorisationOfHold(tx, actor.organization, hold.id)
  if (!row) return
  const name = captured_credits > 0 ? 'capture' : 'release'
  await applyCardAuthorisationTransition(tx, actor, { id: row.id, name, change: { captured_credits } })
}
