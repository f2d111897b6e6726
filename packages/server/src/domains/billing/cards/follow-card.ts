import { actorOf, type Job } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Card } from '../../../platform/outside/payments/payments.ts'
import type { Actor } from '../../events/emit.ts'
import { lockBooks } from '../../ledger/books.ts'
import { changeCard, findCardNamed, type CardRow } from '../../payment_methods/cards.ts'
import { planCardWarning } from './card-uses.ts'
import { detachCard } from './detach-card.ts'

/**
 * Applies changes of a saved card at the processor: a card that was detached there is detached here, even if it is in
 * use, and a card that its bank renewed gets its new details. Sends network requests.
 */
export async function followCard(job: Job, organization: string, payment_method_id: string): Promise<void> {
  const { payments } = job.outside
  const card = await payments.findCard(payment_method_id)
  const actor = actorOf(job, organization)
  await job.database.of(organization).transaction(async (tx) => {
    await lockBooks(tx, organization)
    const row = await findCardNamed(tx, organization, payments.env, payment_method_id)
    if (row === null || row.detached_at !== null) return
    if (card === null) await detachCard(tx, actor, row)
    else if (isOther(row, card)) await renew(tx, actor, row, card)
  })
}

const prints = ['brand', 'last4', 'exp_month', 'exp_year'] as const

const isOther = (row: CardRow, card: Card): boolean => prints.some((name) => row[name] !== card[name])

/** Updates the card and moves the expiry warning to the new expiry date. */
async function renew(tx: Tx, actor: Actor, { id }: CardRow, card: Card): Promise<void> {
  const { organization } = actor
  const row = await changeCard(tx, organization, id, card)
  await planCardWarning(tx, organization, row, actor.clock.now())
}
