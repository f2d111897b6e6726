import { organizationsUpdateOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOwnOrganization } from '../membership.ts'
import {
  changeOrganizationDetails,
  readOrganizationDetails,
  requireDetailsRole,
  toDetailsChange,
} from '../organization-details.ts'

export const updateOrganization = defineHandler(organizationsUpdateOperation, async (call, input) => {
  const { organization_id, ...fields } = input
  requireOwnOrganization(call, organization_id)
  const change = toDetailsChange(fields)
  await requireDetailsRole(call, change)
  return call.transaction(async (tx) => {
    await changeOrganizationDetails(tx, call, change)
    return { organization: await readOrganizationDetails(tx, call.organization) }
  })
})
