import { adminCommitmentsAmend } from '@swath/contract/operations/admin.commitments.ts'
import { handler } from '../../engine/handler.ts'
import { centsOf } from '../billing/aud.ts'
import { commitmentOf } from '../billing/commitments/commitment-answers.ts'
import { amendCommitment } from '../billing/commitments/commitments.ts'
import { actIn } from '../organizations/named.ts'
import { ratesOf } from './commitment-input.ts'

export const changeCommitment = handler(adminCommitmentsAmend, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const { commitment_id, name, period_end, committed_aud, products, reason = null } = input
  const change = {
    reason,
    ...(name ? { name } : {}),
    ...(period_end ? { period_end: new Date(period_end) } : {}),
    ...(typeof committed_aud === 'number' ? { committed_cents: centsOf(committed_aud, 'committed_aud') } : {}),
    ...(products ? { products: ratesOf(products) } : {}),
  }
  const row = await call.across.transaction((tx) => amendCommitment(tx, actor, commitment_id, change))
  const now = actor.clock.now()
  return { commitment: await commitmentOf(call.across, actor.organization, row, { now }) }
})
