import { billingTopup } from '@swath/contract/operations/billing.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { lockBooks } from '../ledger/books.ts'
import { balance } from '../ledger/ledger.ts'
import { requireBillingRole } from './billing-roles.ts'
import { chargeTopup, settled } from './topups/charge-topup.ts'
import { chosenCard } from './cards/chosen-card.ts'
import { findTopup, type TopupRow } from './topups/store.topups.ts'
import { beginTopup } from './topups/topup.ts'

export const topUp = handler(billingTopup, async (call, input) => {
  await requireBillingRole(call)
  const row = (await resume(call)) ?? (await begin(call, input.credits, input.payment_method_row_id ?? null))
  const done = row.state === 'succeeded' ? row : await chargeTopup(call, row)
  const { db, organization, clock } = call
  const { available_credits, held_credits } = await balance(db, organization, clock.now())
  return {
    id: done.id,
    status: done.state === 'succeeded' ? 'succeeded' : 'processing',
    credits: done.credits,
    aud: done.credits / 100,
    balance: { available_credits, held_credits },
  }
})

/** The top-up that an earlier try of this call began. */
async function resume(call: Call): Promise<TopupRow | null> {
  const id = call.claim?.data['topup_id']
  const row = typeof id === 'string' ? await findTopup(call.db, call.organization, id) : null
  return row && settled(call, row)
}

async function begin(call: Call, credits: number, chosen: string | null): Promise<TopupRow> {
  const { organization, outside } = call
  return call.transaction(async (tx) => {
    await lockBooks(tx, organization)
    const card = await chosenCard(tx, organization, outside.payments, chosen)
    const row = await beginTopup(tx, call, { kind: 'topup', credits, card: card.id })
    await call.claim?.reach(tx, 'payment_pending', { topup_id: row.id })
    return row
  })
}
