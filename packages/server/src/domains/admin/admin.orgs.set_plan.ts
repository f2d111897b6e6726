import { adminOrgsSetPlan } from '@swath/contract/operations/admin.ts'
import { handler } from '../../engine/handler.ts'
import { announceChange } from '../identity/changes.ts'
import { lockBooks } from '../ledger/books.ts'
import { changePlan } from '../organizations/change-plan.ts'
import { actIn } from '../organizations/named.ts'

export const setPlan = handler(adminOrgsSetPlan, async (call, { organization_id, plan, reason: note }) => {
  const actor = await actIn(call, organization_id)
  return call.across.transaction(async (tx) => {
    // Serializes with ledger writes: an order is paid by the plan that it started under.
    await lockBooks(tx, organization_id)
    // Rate limits depend on the plan, which cached tokens contain.
    await announceChange(tx, `organization:${organization_id}`)
    const previous_plan = await changePlan(tx, actor, plan, { reason: 'administrator', note })
    return { organization_id, plan, previous_plan: previous_plan ?? plan }
  })
})
