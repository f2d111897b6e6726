import { billingCreditsTransactions } from '@swath/contract/operations/billing.credits.ts'
import { handler } from '../../engine/handler.ts'
import { visibilityOf } from '../projects/visibility.ts'
import { hasBillingRole } from './billing-roles.ts'
import { listEntries } from '../ledger/ledger.ts'

export const listTransactions = handler(billingCreditsTransactions, async (call, input) => {
  const { limit, offset } = input
  // Members without a billing role see the transactions of projects that they can read.
  const visible = (await hasBillingRole(call)) ? null : await visibilityOf(call)
  const page = await listEntries(call.db, call.organization, { kind: input.reason ?? null, limit, offset, visible })
  return {
    transactions: page.entries.map((entry) => ({
      id: entry.id,
      created_at: entry.created_at.toISOString(),
      reason: entry.kind,
      amount_credits: entry.amount_credits,
      balance_after_credits: entry.available_after_credits,
      operation: entry.operation,
      actor: entry.actor_id,
      reference: { type: entry.reference_type, id: entry.reference_id },
    })),
    limit,
    offset,
    total: page.total,
  }
})
