import { organizationsDeleteOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { scheduleOrganizationDeletion } from '../deletion.ts'
import { requireOwnOrganization } from '../membership.ts'

export const handler = defineHandler(organizationsDeleteOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const delete_at = await call.transaction((tx) => scheduleOrganizationDeletion(tx, call, input.reason ?? null))
  return { organization_id: call.organization, delete_at: delete_at.toISOString() }
})
