import { organizationsMembersListOperation } from '@swath/contract/operations/organizations.members.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toOrganizationMember, requireOwnOrganization } from '../membership.ts'
import { listMembers } from '../store.members.ts'

export const handler = defineHandler(organizationsMembersListOperation, async (call, input) => {
  requireOwnOrganization(call, input.organizationId)
  const members = (await listMembers(call.db, call.organization)).map(toOrganizationMember)
  return toCompleteList('members', members)
})
