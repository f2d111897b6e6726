import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import {
  Invitation,
  invitationStates,
  ProjectMembership,
  ProjectMembershipInputs,
} from '../schemas/people/invitation.ts'
import { Email, OrganizationRole } from '../schemas/member.ts'
import { OptionalNullable, StrictObject, Uuid, WithDefault, WithDescription } from '../schemas/primitives.ts'

const InvitationResult = Type.Object({ invitation: Invitation })

export const organizationsInvitationsCreateOperation = operation({
  id: 'organizations.invitations.create',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary:
    'Invite somebody by e-mail to the organization and its projects; the response says nothing of other accounts.',
  input: StrictObject({
    email: Email,
    role: WithDefault(OrganizationRole, 'member'),
    projects: Type.Optional(ProjectMembershipInputs),
  }),
  output: InvitationResult,
  problems: ['not-found', 'forbidden', 'name-taken', 'invalid-state'],
  emits: ['invitation.created'],
  extension: true,
})

export const organizationsInvitationsListOperation = operation({
  id: 'organizations.invitations.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the invitations of the organization, newest first.',
  input: StrictObject({
    state: WithDescription('Only invitations in this state.', OptionalNullable(Type.Enum([...invitationStates]))),
    ...offsetPaging(),
  }),
  output: ListEnvelope('invitations', Invitation),
  paging: 'offset',
  extension: true,
})

export const organizationsInvitationsResendOperation = operation({
  id: 'organizations.invitations.resend',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Send an invitation again, with a new link and a new expiry; the former link is not valid any more.',
  input: StrictObject({ invitation_id: Uuid }),
  output: InvitationResult,
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['invitation.resent'],
  extension: true,
})

export const organizationsInvitationsRevokeOperation = operation({
  id: 'organizations.invitations.revoke',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'destructive',
  summary: 'Withdraw an invitation: its link is not valid any more.',
  input: StrictObject({ invitation_id: Uuid }),
  output: InvitationResult,
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['invitation.revoked'],
  extension: true,
})

export const organizationsInvitationsAcceptOperation = operation({
  id: 'organizations.invitations.accept',
  scope: 'organizations:write',
  callers: 'account-owners',
  effect: 'compute',
  summary: 'Accept an invitation that was sent to the address of the caller, who joins the organization.',
  input: StrictObject({
    token: Type.String({ minLength: 1, maxLength: 200, description: 'From the link in the e-mail.' }),
  }),
  output: Type.Object({
    organization_id: Uuid,
    name: Type.String(),
    role: OrganizationRole,
    projects: Type.Array(ProjectMembership),
  }),
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['invitation.accepted', 'member.joined'],
  extension: true,
})
