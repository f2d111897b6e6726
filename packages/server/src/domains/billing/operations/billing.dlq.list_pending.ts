import { billingDlqListPendingOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listPendingDeadLetters } from '../../dead-letters/dead-letters.ts'

/** A bound on the response; more dead letters point to an outage. */
const max_rows = 1000

export const handler = defineHandler(billingDlqListPendingOperation, async (call) => {
  const { rows, total } = await listPendingDeadLetters(call, max_rows)
  const dead_letters = rows.map(({ id, kind, organization_id, attempts, last_error, created_at }) => ({
    id,
    kind,
    organization_id,
    attempts,
    last_error,
    created_at: created_at.toISOString(),
  }))
  return toListPage('dead_letters', { rows: dead_letters, total }, { limit: max_rows })
})
