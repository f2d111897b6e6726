import { adminCommitmentsCreate } from '@swath/contract/operations/admin.commitments.ts'
import { handler } from '../../engine/handler.ts'
import { centsOf } from '../billing/aud.ts'
import { commitmentOf } from '../billing/commitments/commitment-answers.ts'
import { createCommitment } from '../billing/commitments/commitments.ts'
import { actIn } from '../organizations/named.ts'
import { ratesOf } from './commitment-input.ts'

export const enterCommitment = handler(adminCommitmentsCreate, async (call, input) => {
  const actor = await actIn(call, input.organization_id)
  const terms = {
    name: input.name,
    period_start: new Date(input.period_start),
    period_end: new Date(input.period_end),
    committed_cents: centsOf(input.committed_aud, 'committed_aud'),
    carried_in_cents: centsOf(input.carried_in_aud, 'carried_in_aud'),
    products: ratesOf(input.products),
  }
  const row = await call.across.transaction((tx) => createCommitment(tx, actor, terms))
  const now = actor.clock.now()
  return { commitment: await commitmentOf(call.across, actor.organization, row, { now }) }
})
