import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { OrganizationRole } from '../member.ts'
import { Nullable, StrictObject, Timestamp, Uuid, WithDefault } from '../primitives.ts'
import { ProjectRole, ProjectRoleInput } from '../project.ts'

/** The role of a member in a project, in a request. */
export const ProjectMembershipInput = StrictObject({
  project_id: Uuid,
  role: WithDefault(ProjectRoleInput, 'editor'),
})

/** The projects of a member, or of who is invited. */
export const ProjectMembershipInputs = Type.Array(ProjectMembershipInput, {
  maxItems: limits.max_member_projects,
  description: 'Projects of the organization, each once, with a role.',
})

export const ProjectMembership = Type.Object({ project_id: Uuid, role: ProjectRole })

export const invitationStates = ['pending', 'accepted', 'revoked', 'expired'] as const

/** An invitation by e-mail. Its token is only in the e-mail. */
export const Invitation = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: OrganizationRole,
  projects: Type.Array(ProjectMembership),
  state: Type.Enum([...invitationStates]),
  invited_by: Uuid,
  accepted_by: Nullable(Uuid, { description: 'The user who accepted it.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
  sent_at: Nullable(Timestamp, { description: 'When the last e-mail was handed over; null while it waits.' }),
  decided_at: Nullable(Timestamp, { description: 'When it was accepted, revoked or replaced.' }),
})

export type InvitationState = (typeof invitationStates)[number]
export type ProjectMembership = Static<typeof ProjectMembership>
export type ProjectMembershipInput = Static<typeof ProjectMembershipInput>
export type Invitation = Static<typeof Invitation>
