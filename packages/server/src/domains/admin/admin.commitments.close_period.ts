import { adminCommitmentsClosePeriod } from '@swath/contract/operations/admin.commitments.ts'
import { handler } from '../../engine/handler.ts'
import { closePeriod } from '../billing/commitments/close-commitment.ts'
import { commitmentOf } from '../billing/commitments/commitment-answers.ts'
import { actIn } from '../organizations/named.ts'

/** A repeated request returns the period that it has closed before. */
export const closeCommitmentPeriod = handler(adminCommitmentsClosePeriod, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const row = await call.across.transaction(async (tx) => {
    const closed = await closePeriod(tx, actor, input.commitment_id)
    await call.claim?.reach(tx, 'reserved', { commitment_id: closed.id })
    return closed
  })
  const now = actor.clock.now()
  return { commitment: await commitmentOf(call.across, actor.organization, row, { now }) }
})
