import { adminOrgsSetPlanOperation } from '@swath/contract/operations/admin.orgs.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { changeOrganizationPlan } from '../../organizations/change-plan.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'

export const handler = defineHandler(
  adminOrgsSetPlanOperation,
  async (call, { organization_id, plan, reason: note }) => {
    const actor = await toActorInOrganization(call, organization_id)
    return call.unscoped.transaction(async (tx) => {
      // Serializes with ledger writes: an order is paid by the plan that it started under.
      await lockLedger(tx, organization_id)
      // Rate limits depend on the plan, which cached tokens contain.
      await publishPrincipalChange(tx, `organization:${organization_id}`)
      const previous_plan = await changeOrganizationPlan(tx, actor, plan, { reason: 'administrator', note })
      return { organization_id, plan, previous_plan: previous_plan ?? plan }
    })
  },
)
