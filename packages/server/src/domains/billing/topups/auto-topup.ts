import { actorOf, type Job } from '../../../engine/task.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Intent } from '../../../platform/outside/payments/payments.ts'
import type { Actor } from '../../events/emit.ts'
import { lockBooks } from '../../ledger/books.ts'
import { balance } from '../../ledger/ledger.ts'
import { findDefaultCard } from '../../payment_methods/cards.ts'
import { tellUnfilled } from './auto-topup-declines.ts'
import { askCard } from './charge-topup.ts'
import { isRefusal } from '../cards/payment-problems.ts'
import { automaticSince, findAutoTopup } from './store.auto-topups.ts'
import { changeTopup, findTopup, type TopupRow } from './store.topups.ts'
import { beginTopup, closeLater, failTopup, finishTopup } from './topup.ts'

/**
 * Tops up a wallet that has fallen below its threshold. Each crossing is one task, and the top-up has the id of the task:
 * a retry after a crash continues it and never starts a second one.
 */
export async function fillWallet(job: Job, organization: string): Promise<void> {
  const db = job.database.of(organization)
  const actor = actorOf(job, organization)
  const row = await db.transaction((tx) => begin(tx, actor, job.id, job.outside.payments.env))
  if (row === null) return
  const outcome = await askCard({ db, organization, outside: job.outside }, row).catch((error: unknown) => {
    if (isRefusal(error)) return { code: error.code, intent: error.intent }
    throw error
  })
  const paid = 'status' in outcome && outcome.status === 'succeeded'
  const slow = 'status' in outcome && outcome.status === 'processing'
  await db.transaction(async (tx) => {
    if (paid) await finishTopup(tx, actor, row.id, outcome)
    else if (slow) await keepIntent(tx, actor, row, outcome)
    else await refuse(tx, actor, row, 'status' in outcome ? refusalOf(outcome) : outcome)
  })
}

/** A required challenge counts as a decline, because no cardholder is present. */
const refusalOf = ({ id, status, decline_code }: Intent) => ({
  code: status === 'requires_action' ? 'authentication_required' : (decline_code ?? status),
  intent: id,
})

async function refuse(
  tx: Tx,
  actor: Actor,
  row: TopupRow,
  reason: { readonly code: string | null; readonly intent: string | null },
): Promise<void> {
  const failed = await failTopup(tx, actor, row.id, reason)
  if (failed && reason.intent !== null) await closeLater(tx, actor, row.id)
}

async function keepIntent(tx: Tx, actor: Actor, row: TopupRow, { id: intent }: Intent): Promise<void> {
  await changeTopup(tx, actor.organization, row.id, ['starting'], { intent }, actor.clock.now())
}

/** The top-up of this crossing; null if none is to be made, or it has ended. */
async function begin(tx: Tx, actor: Actor, id: string, env: string): Promise<TopupRow | null> {
  const { organization } = actor
  await lockBooks(tx, organization)
  const begun = await findTopup(tx, organization, id)
  if (begun) return begun.state === 'starting' || begun.state === 'action' ? begun : null
  const terms = await findAutoTopup(tx, organization)
  if (!terms?.enabled) return null
  const now = actor.clock.now()
  const { available_credits } = await balance(tx, organization, now)
  if (available_credits >= terms.threshold_credits) return null
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  const { charged_cents, under_way } = await automaticSince(tx, organization, day)
  if (under_way) return null
  const { topup_amount_credits: credits, daily_charge_cap_cents: cap } = terms
  const card = await findDefaultCard(tx, organization, env)
  const reason = card === null ? 'no_card' : cap !== null && charged_cents + credits > cap ? 'daily_charge_cap' : null
  if (card && reason === null) return beginTopup(tx, actor, { id, kind: 'auto', credits, card: card.id })
  await tellUnfilled(tx, actor, { credits, aud: credits / 100, reason })
  return null
}
