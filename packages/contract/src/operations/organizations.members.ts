import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { ProjectMembership, ProjectMembershipInputs } from '../schemas/people/invitation.ts'
import { Member, Email, OrganizationRole, SpendLimits, SpendWindow } from '../schemas/member.ts'
import { Nullable, StrictObject, OptionalNullable, Uuid, WithDefault, WithDescription } from '../schemas/primitives.ts'

const optionalCreditLimit = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    description: 'Null or absent means unlimited; both limits are replaced.',
  }),
)

export const organizationsMembersListOperation = operation({
  id: 'organizations.members.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the members of an organization with their roles and spend limits.',
  input: StrictObject({ organizationId: OptionalNullable(Uuid) }),
  output: ListEnvelope('members', Member),
  problems: ['not-found'],
})

export const organizationsMembersAddOperation = operation({
  id: 'organizations.members.add',
  scope: 'organizations:write',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Add a user to the organization by email; without a mail server the response has a one-time password.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    email: Email,
    name: OptionalNullable(Type.String({ minLength: 1, maxLength: limits.max_name_length })),
    role: WithDefault(OrganizationRole, 'member'),
  }),
  output: Type.Object({
    member: Member,
    one_time_password: Nullable(Type.String({ description: 'Shown only once; null if it was sent by email.' })),
  }),
  problems: ['not-found', 'forbidden', 'name-taken'],
  emits: ['member.joined'],
  extension: true,
})

export const organizationsMembersSetSpendLimitOperation = operation({
  id: 'organizations.members.set_spend_limit',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Set the spend limits of a member: per order, and in any 30 days.',
  input: StrictObject({
    organizationId: OptionalNullable(Uuid),
    userId: Uuid,
    perOrderLimitCredits: optionalCreditLimit,
    spendLimitCredits: optionalCreditLimit,
  }),
  output: SpendLimits,
  problems: ['not-found'],
})

export const organizationsMembersSpendGetOperation = operation({
  id: 'organizations.members.spend.get',
  scope: 'organizations:read',
  effect: 'read',
  summary: "Read what counts towards a member's 30-day spend limit; owners and admins may read that of any member.",
  input: StrictObject({
    organizationId: OptionalNullable(Uuid),
    userId: Type.Optional(Nullable(Uuid, { description: 'Defaults to the caller, or to the creator of the API key.' })),
  }),
  output: SpendWindow,
  problems: ['not-found', 'forbidden', 'user-required'],
  extension: true,
})

export const organizationsMembersSetRoleOperation = operation({
  id: 'organizations.members.set_role',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Change the role of a member; the organization keeps an owner.',
  input: StrictObject({ user_id: Uuid, role: OrganizationRole }),
  output: Type.Object({ member: Member }),
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['member.role_changed', 'organization.delegations_stopped'],
  extension: true,
})

export const organizationsMembersSetProjectsOperation = operation({
  id: 'organizations.members.set_projects',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Replace all project memberships of a member at once.',
  input: StrictObject({
    user_id: Uuid,
    projects: WithDescription(
      'All projects of the member; they leave those that are not named.',
      ProjectMembershipInputs,
    ),
  }),
  output: Type.Object({ user_id: Uuid, projects: Type.Array(ProjectMembership) }),
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['member.projects_changed', 'organization.delegations_stopped'],
  extension: true,
})

export const organizationsMembersRemoveOperation = operation({
  id: 'organizations.members.remove',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'destructive',
  summary: 'Remove a member: sessions for this organization end, and what the member has made in it stops.',
  input: StrictObject({ user_id: Uuid }),
  output: Type.Object({ user_id: Uuid }),
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['member.removed', 'organization.delegations_stopped'],
  extension: true,
})
