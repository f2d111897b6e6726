import Type from 'typebox'
import { organizationRoles } from '../schemas/member.ts'
import { projectRoles } from '../schemas/project.ts'
import { StrictObject } from '../schemas/primitives.ts'
import { defineEvent, EventText, EventTimestamp, exampleEntityIds, NullableEventText } from './define-event.ts'

const Role = Type.Enum([...organizationRoles])
const Projects = Type.Array(StrictObject({ project_id: EventText, role: Type.Enum([...projectRoles]) }))

const invitation = { email: EventText, role: Role }
const exampleInvitation = { email: 'ada@example.org', role: 'member' } as const

export const invitationEvents = {
  'invitation.created': defineEvent(
    'Somebody was invited to the organization by e-mail.',
    { ...invitation, projects: Projects, expires_at: EventTimestamp },
    {
      ...exampleInvitation,
      projects: [{ project_id: exampleEntityIds.project, role: 'editor' }],
      expires_at: '2026-03-08T10:00:00.000Z',
    },
  ),
  'invitation.resent': defineEvent(
    'An invitation was sent again, with a new link and a new expiry.',
    { ...invitation, expires_at: EventTimestamp },
    { ...exampleInvitation, expires_at: '2026-03-09T10:00:00.000Z' },
  ),
  'invitation.revoked': defineEvent('An invitation was withdrawn.', invitation, exampleInvitation),
  'invitation.accepted': defineEvent(
    'An invitation was accepted.',
    { ...invitation, user_id: EventText },
    { ...exampleInvitation, user_id: exampleEntityIds.user },
  ),
}

const member = { user_id: EventText, email: EventText, role: Role }
const exampleMember = { user_id: exampleEntityIds.user, ...exampleInvitation }

export const memberEvents = {
  'member.joined': defineEvent(
    'A user became a member of the organization: added by an admin, or by an invitation.',
    { ...member, invitation_id: NullableEventText },
    { ...exampleMember, invitation_id: exampleEntityIds.invitation },
  ),
  'member.role_changed': defineEvent(
    'The role of a member was changed.',
    { ...member, previous_role: Role },
    { ...exampleMember, role: 'admin', previous_role: 'member' },
  ),
  'member.projects_changed': defineEvent(
    'All project memberships of a member were replaced.',
    { user_id: EventText, email: EventText, projects: Projects },
    {
      user_id: exampleEntityIds.user,
      email: 'ada@example.org',
      projects: [{ project_id: exampleEntityIds.project, role: 'editor' }],
    },
  ),
  'member.removed': defineEvent('A member was removed from the organization.', member, exampleMember),
  'member.left': defineEvent('A member left the organization.', member, exampleMember),
  'organization.ownership_transferred': defineEvent(
    'An owner made another member the owner, and became an admin.',
    { user_id: EventText, email: EventText, former_owner_id: EventText, former_owner_email: EventText },
    {
      user_id: exampleEntityIds.user,
      email: 'ada@example.org',
      former_owner_id: exampleEntityIds.decision,
      former_owner_email: 'grace@example.org',
    },
  ),
}
