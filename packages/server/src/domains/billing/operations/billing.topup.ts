import { billingTopupOperation } from '@swath/contract/operations/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { requireBillingRole } from '../billing-roles.ts'
import { chargeTopup, requirePaidTopup } from '../topups/charge-topup.ts'
import { resolveCardToCharge } from '../../card-payments/card-to-charge.ts'
import { findTopup, type TopupRow } from '../topups/store.topups.ts'
import { startTopup } from '../topups/topup.ts'

export const topUpCredits = defineHandler(billingTopupOperation, async (call, input) => {
  await requireBillingRole(call)
  const row =
    (await findEarlierTopup(call)) ??
    (await startRequestedTopup(call, input.credits, input.payment_method_row_id ?? null))
  const completed = row.state === 'succeeded' ? row : await chargeTopup(call, row)
  const { db, organization, clock } = call
  const { available_credits, held_credits } = await readWalletBalance(db, organization, clock.now())
  return {
    id: completed.id,
    status: completed.state === 'succeeded' ? 'succeeded' : 'processing',
    credits: completed.credits,
    aud: completed.credits / 100,
    balance: { available_credits, held_credits },
  }
})

/** The top-up that an earlier try of this call began. */
async function findEarlierTopup(call: Call): Promise<TopupRow | null> {
  const id = call.claim?.recoveryData['topup_id']
  const row = typeof id === 'string' ? await findTopup(call.db, call.organization, id) : null
  return row && requirePaidTopup(call, row)
}

async function startRequestedTopup(call: Call, credits: number, requestedCardId: string | null): Promise<TopupRow> {
  const { organization, integrations } = call
  return call.transaction(async (tx) => {
    await lockLedger(tx, organization)
    const card = await resolveCardToCharge(tx, organization, integrations.payments, requestedCardId)
    const row = await startTopup(tx, call, { kind: 'topup', credits, card_id: card.id })
    await call.claim?.checkpoint(tx, 'payment_pending', { topup_id: row.id })
    return row
  })
}
