import { organizationsRestoreOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { cancelOrganizationDeletion } from '../deletion.ts'
import { requireOwnOrganization } from '../membership.ts'

export const handler = defineHandler(organizationsRestoreOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  await call.transaction((tx) => cancelOrganizationDeletion(tx, call))
  return { organization_id: call.organization }
})
