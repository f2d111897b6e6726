import { organizationsMembersList } from '@swath/contract/operations/organizations.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { organizationMemberOf, requireOrganizationAdmin, requireOwnOrganization } from './membership.ts'
import { listMembers } from './store.members.ts'

export const listOrganizationMembers = handler(organizationsMembersList, async (call, input) => {
  requireOwnOrganization(call, input.organizationId)
  await requireOrganizationAdmin(call)
  const members = (await listMembers(call.db, call.organization)).map(organizationMemberOf)
  return { members, ...wholeWindow(members) }
})
