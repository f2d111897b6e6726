import { adminOrgsSuspendOperation } from '@swath/contract/operations/admin.orgs.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { suspendOrganization } from '../../organizations/suspension.ts'
import { requireOrganizationForOperator, toOrganizationForOperator } from '../organization-for-operator.ts'

export const handler = defineHandler(adminOrgsSuspendOperation, async (call, { organization_id, reason }) => {
  const actor = await toActorInOrganization(call, organization_id)
  await call.unscoped.transaction(async (tx) => {
    // Serializes with ledger writes: a purchase in progress completes before or not at all.
    await lockLedger(tx, actor.organization)
    await publishPrincipalChange(tx, `organization:${actor.organization}`)
    await suspendOrganization(tx, actor, reason)
  })
  return toOrganizationForOperator(await requireOrganizationForOperator(call, actor.organization))
})
