import { adminOrgsSetPlan } from '@swath/contract/operations/admin.ts'
import { handler } from '../../engine/handler.ts'
import { announceChange } from '../identity/changes.ts'
import { lockBooks } from '../ledger/books.ts'
import { changePlan } from '../organizations/change-plan.ts'
import { actIn } from '../organizations/named.ts'

export const setPlan = handler(adminOrgsSetPlan, async (call, { organization_id, plan, reason: note }) => {
  const actor = await actIn(call, organization_id)
  return call.across.transaction(async (tx) => {
    // Money moves, or the plan does: an order is paid as the plan says that it began under.
    await lockBooks(tx, organization_id)
    // The limits of calls follow the plan, which tokens that were verified remember.
    await announceChange(tx, `organization:${organization_id}`)
    const previous_plan = await changePlan(tx, actor, plan, { reason: 'administrator', note })
    return { organization_id, plan, previous_plan: previous_plan ?? plan }
  })
})
