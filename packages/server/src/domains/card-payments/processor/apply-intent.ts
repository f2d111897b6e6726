import { taskActor, type TaskContext } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { PaymentIntent } from '../../../platform/integrations/payments/payments.ts'
import type { Actor } from '../../../engine/actor.ts'
import { emitEvent } from '../../events/emit.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { findHold } from '../../ledger/store.holds.ts'
import type { OwnIntent } from './own-intent.ts'
import { findAuthorisation } from '../store.authorisations.ts'
import type { TopupPayments } from './topup-payments.ts'

/** Applies the current state of an intent, whatever state the event has. */
export async function applyIntentState(job: TaskContext, ownIntent: OwnIntent, topups: TopupPayments): Promise<void> {
  const { intent, organization, topup_id, authorisation_id } = ownIntent
  const actor = taskActor(job, organization)
  await job.database.forOrganization(organization).transaction(async (tx) => {
    if (topup_id !== null) await topups.applyIntent(tx, actor, topup_id, intent)
    if (authorisation_id !== null) await applyToAuthorisation(tx, actor, authorisation_id, intent)
  })
}

/** Only a cancellation that this server did not request matters: the work it pays for must stop. */
async function applyToAuthorisation(tx: Tx, actor: Actor, id: string, intent: PaymentIntent): Promise<void> {
  await lockLedger(tx, actor.organization)
  const row = await findAuthorisation(tx, actor.organization, id)
  if (row?.state !== 'authorised' || row.intent !== intent.id || intent.status !== 'canceled') return
  const hold = row.hold_id === null ? null : await findHold(tx, actor.organization, row.hold_id)
  if (!hold || hold.outcome !== null) return
  const data = {
    reference_type: row.reference_type,
    reason: 'The card authorisation was cancelled at the payment processor.',
  }
  await emitEvent(tx, actor, {
    kind: 'hold.ending',
    entity_type: row.reference_type,
    entity_id: row.reference_id,
    data,
  })
}
