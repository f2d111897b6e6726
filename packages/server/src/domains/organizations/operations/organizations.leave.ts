import { organizationsLeaveOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { endMembership } from '../../identity/memberships/end-membership.ts'
import { requireOwnOrganization } from '../membership.ts'

export const handler = defineHandler(organizationsLeaveOperation, async (call, { organization_id }) => {
  requireOwnOrganization(call, organization_id)
  const { organization, principal } = call
  await call.unscoped.transaction((tx) => endMembership(tx, call, { user: principal.id, kind: 'member.left' }))
  return { organization_id: organization }
})
