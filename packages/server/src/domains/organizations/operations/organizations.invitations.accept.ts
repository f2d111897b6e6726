import { organizationsInvitationsAcceptOperation } from '@swath/contract/operations/organizations.invitations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { assertInvariant } from '../../../engine/problem.ts'
import { acceptInvitation } from '../../identity/invitations/accept-invitation.ts'
import { findUser } from '../../users/store.ts'

export const handler = defineHandler(organizationsInvitationsAcceptOperation, async (call, { token }) => {
  const user = await findUser(call.unscoped, call.principal.id)
  assertInvariant(user, 'only users who signed in may call it')
  const presented = { token, email: user.email, address: call.rateLimitKey }
  const accepted = await call.unscoped.transaction((tx) => acceptInvitation(tx, call, presented))
  const { organization, role, projects } = accepted
  return { organization_id: organization.id, name: organization.name, role, projects: [...projects] }
})
