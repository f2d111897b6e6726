import { organizationsGetOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOwnOrganization } from '../membership.ts'
import { readOrganizationDetails } from '../organization-details.ts'

export const handler = defineHandler(organizationsGetOperation, async (call, { organization_id }) => {
  requireOwnOrganization(call, organization_id)
  return { organization: await readOrganizationDetails(call.db, call.organization) }
})
