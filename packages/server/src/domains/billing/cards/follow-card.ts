import { actorOf, type Job } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Card } from '../../../platform/outside/payments/payments.ts'
import type { Actor } from '../../events/emit.ts'
import { lockBooks } from '../../ledger/books.ts'
import { changeCard, findCardNamed, type CardRow } from '../../payment_methods/cards.ts'
import { planCardWarning } from './card-uses.ts'
import { detachCard } from './detach-card.ts'

/**
 * What became of a saved card without us is so here too: one that its holder or the processor took away is detached, also
 * where something still waits for it, and one that its bank renewed has its new end. Asks the network.
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

/** Its owner is warned before the new end, and not before the old one. */
async function renew(tx: Tx, actor: Actor, { id }: CardRow, card: Card): Promise<void> {
  const { organization } = actor
  const row = await changeCard(tx, organization, id, card)
  await planCardWarning(tx, organization, row, actor.clock.now())
}
