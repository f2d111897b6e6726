import { createTaskActor, type TaskContext } from '../../engine/task.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { PaymentCard } from '../../platform/integrations/payments/payments.ts'
import type { Actor } from '../../engine/actor.ts'
import { lockLedger } from '../ledger/ledger-session.ts'
import type { CardRow } from '../payment_methods/store.ts'
import { updateCardDetails, findCardByProcessorId } from '../payment_methods/store.ts'
import { scheduleCardExpiryWarning } from './card-uses.ts'
import { detachCard } from './detach-card.ts'

/**
 * Applies changes of a saved card at the processor: a card that was detached there is detached here, even if it is in
 * use, and a card that its bank renewed gets its new details. Sends network requests.
 */
export async function syncPaymentMethod(
  job: TaskContext,
  organization: string,
  payment_method_id: string,
): Promise<void> {
  const { payments } = job.integrations
  const card = await payments.findCard(payment_method_id)
  const actor = createTaskActor(job, organization)
  await job.database.forOrganization(organization).transaction(async (tx) => {
    await lockLedger(tx, organization)
    const row = await findCardByProcessorId(tx, organization, payments.env, payment_method_id)
    if (row === null || row.detached_at !== null) return
    if (card === null) await detachCard(tx, actor, row)
    else if (hasChanged(row, card)) await updateDetails(tx, actor, row, card)
  })
}

const cardDetailFields = ['brand', 'last4', 'exp_month', 'exp_year'] as const

const hasChanged = (row: CardRow, card: PaymentCard): boolean =>
  cardDetailFields.some((name) => row[name] !== card[name])

/** Updates the card and moves the expiry warning to the new expiry date. */
async function updateDetails(tx: Tx, actor: Actor, { id }: CardRow, card: PaymentCard): Promise<void> {
  const { organization } = actor
  const row = await updateCardDetails(tx, organization, id, card)
  await scheduleCardExpiryWarning(tx, organization, row, actor.clock.now())
}
