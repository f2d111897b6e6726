import { adminOrgsResumeOperation } from '@swath/contract/operations/admin.orgs.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { resumeOrganization } from '../../organizations/suspension.ts'
import { requireOrganizationForOperator, toOrganizationForOperator } from '../organization-for-operator.ts'

export const handler = defineHandler(adminOrgsResumeOperation, async (call, { organization_id, reason }) => {
  const actor = await toActorInOrganization(call, organization_id)
  await call.unscoped.transaction(async (tx) => {
    await publishPrincipalChange(tx, `organization:${actor.organization}`)
    await resumeOrganization(tx, actor, reason)
  })
  return toOrganizationForOperator(await requireOrganizationForOperator(call, actor.organization))
})
