import { billingDlqListPending } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { pendingLetters } from './dead-letters.ts'

/** A bound on the response; more dead letters point to an outage. */
const most = 1000

export const listDeadLetters = handler(billingDlqListPending, async (call) => {
  const { letters, total } = await pendingLetters(call, most)
  const dead_letters = letters.map(({ id, kind, organization_id, attempts, last_error, created_at }) => ({
    id,
    kind,
    organization_id,
    attempts,
    last_error,
    created_at: created_at.toISOString(),
  }))
  return { dead_letters, limit: most, offset: 0, total }
})
