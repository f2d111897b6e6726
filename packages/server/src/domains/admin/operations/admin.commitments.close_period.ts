import { adminCommitmentsClosePeriodOperation } from '@swath/contract/operations/admin.commitments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireWithinMaxCredits } from '../../billing/max-credits.ts'
import { closeCommitment } from '../../contracts/close-commitment.ts'
import { toCommitment } from '../../contracts/commitment-response.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'

/** A repeated request returns the period that it has closed before. */
export const handler = defineHandler(adminCommitmentsClosePeriodOperation, async (call, input) => {
  const { commitment_id, max_credits, dry_run } = input
  const actor = await toActorInOrganization(call, input.organization_id)
  const { organization, clock } = actor
  return runTransactionOrDryRun(call.unscoped, { organization, dry_run }, async (tx) => {
    const { row, charged_cents } = await closeCommitment(tx, actor, commitment_id)
    requireWithinMaxCredits(charged_cents, max_credits)
    await call.claim?.checkpoint(tx, 'reserved', { commitment_id: row.id })
    return { commitment: await toCommitment(tx, organization, row, { now: clock.now() }) }
  })
})
