import { billingCreditsTransactionsOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { toVisibleRecordFilter } from '../../projects/visibility.ts'
import { listJournalEntries } from '../../ledger/store.entries.ts'
import { hasOrganizationPermission } from '../../projects/permissions.ts'

export const handler = defineHandler(billingCreditsTransactionsOperation, async (call, input) => {
  const { limit, offset } = input
  // Members without a billing role see the transactions of projects that they can read.
  const visible = (await hasOrganizationPermission(call, 'bill')) ? null : await toVisibleRecordFilter(call)
  const { rows, total } = await listJournalEntries(call.db, call.organization, {
    kind: input.reason ?? null,
    limit,
    offset,
    visible,
  })
  const transactions = rows.map((entry) => ({
    id: entry.id,
    created_at: entry.created_at.toISOString(),
    reason: entry.kind,
    amount_credits: entry.amount_credits,
    balance_after_credits: entry.available_after_credits,
    operation: entry.operation,
    actor: entry.actor_id,
    reference: { type: entry.reference_type, id: entry.reference_id },
  }))
  return toListPage('transactions', { rows: transactions, total }, input)
})
