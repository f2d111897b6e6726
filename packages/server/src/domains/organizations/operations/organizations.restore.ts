import { organizationsRestoreOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { cancelDeletion, requireOwner } from '../deletion.ts'

export const restoreOrganization = defineHandler(organizationsRestoreOperation, async (call, input) => {
  await requireOwner(call, input.organization_id)
  await call.transaction((tx) => cancelDeletion(tx, call))
  return { organization_id: call.organization }
})
