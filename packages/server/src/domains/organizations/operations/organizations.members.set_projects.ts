import { organizationsMembersSetProjectsOperation } from '@swath/contract/operations/organizations.members.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitEvent } from '../../events/emit.ts'
import { readProjectMemberships, replaceProjectMemberships } from '../../projects/project-memberships.ts'
import { lockMemberForChange } from '../change-member.ts'
import { emitStoppedDelegations } from '../delegations.ts'
import { requireAuthorityOver } from '../membership.ts'

export const handler = defineHandler(organizationsMembersSetProjectsOperation, async (call, input) => {
  const { organization } = call
  await requireAuthorityOver(call, input.user_id)
  const projects = await readProjectMemberships(call.db, organization, input.projects)
  return call.transaction(async (tx) => {
    const { user_id, email } = (await lockMemberForChange(tx, call, input.user_id)).member
    if (await replaceProjectMemberships(tx, call, user_id, projects)) {
      const data = { user_id, email, projects }
      await emitEvent(tx, call, { kind: 'member.projects_changed', entity_type: 'user', entity_id: user_id, data })
      await emitStoppedDelegations(tx, call, { user: user_id })
    }
    return { user_id, projects }
  })
})
