import { organizationsUpdateOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOrganizationAdmin, requireOwnOrganization } from '../membership.ts'
import {
  changeOrganizationDetails,
  readOrganizationDetails,
  toOrganizationDetailsChange,
} from '../organization-details.ts'

export const handler = defineHandler(organizationsUpdateOperation, async (call, input) => {
  const { organization_id, ...fields } = input
  requireOwnOrganization(call, organization_id)
  const change = toOrganizationDetailsChange(fields)
  // The billing role changes everything but the name.
  if (change.name !== undefined) await requireOrganizationAdmin(call)
  return call.transaction(async (tx) => {
    await changeOrganizationDetails(tx, call, change)
    return { organization: await readOrganizationDetails(tx, call.organization) }
  })
})
