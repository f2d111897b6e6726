import { adminCommitmentsAmendOperation } from '@swath/contract/operations/admin.commitments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { audToCents } from '../../ledger/aud.ts'
import { toCommitment } from '../../contracts/commitment-response.ts'
import { amendCommitment } from '../../contracts/commitments.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { toProductRates } from '../commitment-input.ts'

export const handler = defineHandler(adminCommitmentsAmendOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const { commitment_id, name, period_end, committed_aud, products, reason = null } = input
  const change = {
    reason,
    ...(name ? { name } : {}),
    ...(period_end ? { period_end: new Date(period_end) } : {}),
    ...(typeof committed_aud === 'number' ? { committed_cents: audToCents(committed_aud, 'committed_aud') } : {}),
    ...(products ? { products: toProductRates(products) } : {}),
  }
  const row = await call.unscoped.transaction((tx) => amendCommitment(tx, actor, commitment_id, change))
  const now = actor.clock.now()
  return { commitment: await toCommitment(call.unscoped, actor.organization, row, { now }) }
})
