import { billingCreditsTransactionsOperation } from '@swath/contract/operations/billing.credits.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { visibleRecordFilter } from '../../projects/visibility.ts'
import { hasBillingRole } from '../billing-roles.ts'
import { listJournalEntries } from '../../ledger/ledger.ts'

export const listTransactions = defineHandler(billingCreditsTransactionsOperation, async (call, input) => {
  const { limit, offset } = input
  // Members without a billing role see the transactions of projects that they can read.
  const visible = (await hasBillingRole(call)) ? null : await visibleRecordFilter(call)
  const page = await listJournalEntries(call.db, call.organization, {
    kind: input.reason ?? null,
    limit,
    offset,
    visible,
  })
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
