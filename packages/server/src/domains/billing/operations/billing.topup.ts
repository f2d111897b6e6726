import type { Static } from 'typebox'
import { billingTopupOperation } from '@swath/contract/operations/billing.ts'
import { Topup } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { requireWithinMaxCredits } from '../max-credits.ts'
import { chargeTopup, requirePaidTopup } from '../topups/charge-topup.ts'
import { resolveCardToCharge } from '../../card-payments/card-to-charge.ts'
import { findTopup, type TopupRow } from '../topups/store.topups.ts'
import { completeTopupWithoutCharge, insertUnchargedTopup } from '../topups/topup.ts'

interface TopupRequest {
  readonly credits: number
  /** Null is the default card. */
  readonly card_id: string | null
}

export const handler = defineHandler(billingTopupOperation, async (call, input) => {
  requireWithinMaxCredits(input.credits, input.max_credits)
  const request = { credits: input.credits, card_id: input.payment_method_row_id ?? null }
  if (input.dry_run) return executeDryRun(call, (dryRun) => topUpWithoutCharge(dryRun, request))
  const row = (await findEarlierTopup(call)) ?? (await call.transaction((tx) => startRequestedTopup(tx, call, request)))
  return toTopup(call, call.db, row.state === 'succeeded' ? row : await chargeTopup(call, row))
})

async function toTopup(call: Call, db: SqlStatementRunner, row: TopupRow): Promise<Static<typeof Topup>> {
  const { available_credits, held_credits } = await readWalletBalance(db, call.organization, call.clock.now())
  return {
    id: row.id,
    status: row.state === 'succeeded' ? 'succeeded' : 'processing',
    credits: row.credits,
    aud: row.credits / 100,
    balance: { available_credits, held_credits },
  }
}

/** The top-up that an earlier try of this call began. */
async function findEarlierTopup(call: Call): Promise<TopupRow | null> {
  const id = call.claim?.recoveryData['topup_id']
  const row = typeof id === 'string' ? await findTopup(call.db, call.organization, id) : null
  return row && requirePaidTopup(call, row)
}

async function startRequestedTopup(tx: Tx, call: Call, { credits, card_id }: TopupRequest): Promise<TopupRow> {
  const { organization, integrations } = call
  await lockLedger(tx, organization)
  const card = await resolveCardToCharge(tx, organization, integrations.payments, card_id)
  const row = await insertUnchargedTopup(tx, call, { kind: 'topup', credits, card_id: card.id })
  await call.claim?.checkpoint(tx, 'payment_pending', { topup_id: row.id })
  return row
}

const topUpWithoutCharge = (call: Call, request: TopupRequest) =>
  call.transaction(async (tx) => {
    const row = await startRequestedTopup(tx, call, request)
    return toTopup(call, tx, await completeTopupWithoutCharge(tx, call, row))
  })
