import { adminCommitmentsCreateOperation } from '@swath/contract/operations/admin.commitments.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { audToCents } from '../../ledger/aud.ts'
import { toCommitment } from '../../contracts/commitment-response.ts'
import { createCommitment } from '../../contracts/commitments.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { toProductRates } from '../commitment-input.ts'

export const handler = defineHandler(adminCommitmentsCreateOperation, async (call, input) => {
  const actor = await toActorInOrganization(call, input.organization_id)
  const commitmentInput = {
    name: input.name,
    period_start: new Date(input.period_start),
    period_end: new Date(input.period_end),
    committed_cents: audToCents(input.committed_aud, 'committed_aud'),
    carried_in_cents: audToCents(input.carried_in_aud, 'carried_in_aud'),
    products: toProductRates(input.products),
  }
  const row = await call.unscoped.transaction((tx) => createCommitment(tx, actor, commitmentInput))
  const now = actor.clock.now()
  return { commitment: await toCommitment(call.unscoped, actor.organization, row, { now }) }
})
