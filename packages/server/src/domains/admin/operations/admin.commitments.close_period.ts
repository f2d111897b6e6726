import { adminCommitmentsClosePeriodOperation } from '@swath/contract/operations/admin.commitments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { closeCommitment } from '../../contracts/close-commitment.ts'
import { toCommitment } from '../../contracts/commitment-response.ts'
import { actorFor } from '../../organizations/all-organizations.ts'

/** A repeated request returns the period that it has closed before. */
export const closeCommitmentPeriod = defineHandler(adminCommitmentsClosePeriodOperation, async (call, input) => {
  const actor = await actorFor(call, input.organization_id)
  const row = await call.unscoped.transaction(async (tx) => {
    const closed = await closeCommitment(tx, actor, input.commitment_id)
    await call.claim?.checkpoint(tx, 'reserved', { commitment_id: closed.id })
    return closed
  })
  const now = actor.clock.now()
  return { commitment: await toCommitment(call.unscoped, actor.organization, row, { now }) }
})
