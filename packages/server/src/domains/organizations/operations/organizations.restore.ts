import { organizationsRestoreOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { cancelDeletion } from '../deletion.ts'
import { requireOwnOrganization } from '../membership.ts'

export const handler = defineHandler(organizationsRestoreOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  await call.transaction((tx) => cancelDeletion(tx, call))
  return { organization_id: call.organization }
})
