import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { Commitment, Statement } from '../shapes/commitment.ts'
import { Member, OrganizationRole, SpendLimits, SpendWindow } from '../shapes/member.ts'
import { Default, Described, Input, Maybe, Nullable, Open, Uuid } from '../shapes/primitives.ts'

const Email = Type.String({ minLength: 3, maxLength: 320, pattern: '^[^@\\s]+@[^@\\s]+$' })
const text = Maybe(Type.String({ maxLength: limits.text_length }))
const cap = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    description: 'Null or absent means unlimited; both limits are replaced.',
  }),
)

export const organizationsCreate = operation({
  id: 'organizations.create',
  scope: 'organizations:write',
  effect: 'compute',
  summary: 'Create an organization; a user without one becomes its owner.',
  input: Input({
    name: Type.String({ minLength: 1, maxLength: limits.name_length }),
    description: text,
    website: text,
    industry: text,
    size: text,
    country: text,
    abn: Described('Australian Business Number.', text),
    tax_number: text,
    billing_email: Maybe(Email),
    billing_admin_id: Maybe(Uuid),
    billing_address: Maybe(Open),
    enterprise_billing: Default(Type.Boolean({ description: 'Only administrators may set it.' }), false),
  }),
  output: Type.Object({ id: Uuid, name: Type.String(), slug: Type.String(), enterprise_billing: Type.Boolean() }),
  problems: ['forbidden', 'user-required', 'invalid-state'],
  answered: true,
})

export const organizationsMembersList = operation({
  id: 'organizations.members.list',
  scope: 'organizations:read',
  effect: 'read',
  summary: 'List the members of an organization with their roles and spend limits.',
  input: Input({ organizationId: Maybe(Uuid) }),
  output: List('members', Member),
  problems: ['not-found', 'forbidden'],
  answered: true,
})

export const organizationsMembersAdd = operation({
  id: 'organizations.members.add',
  scope: 'organizations:write',
  effect: 'compute',
  summary: 'Add a user to the organization by email; without a mail server the response has a one-time password.',
  input: Input({
    organization_id: Maybe(Uuid),
    email: Email,
    name: Maybe(Type.String({ minLength: 1, maxLength: limits.name_length })),
    role: Default(OrganizationRole, 'member'),
  }),
  output: Type.Object({
    member: Member,
    one_time_password: Nullable(Type.String({ description: 'Shown only once; null if it was sent by email.' })),
  }),
  problems: ['not-found', 'forbidden', 'user-required', 'name-taken'],
  extension: true,
  answered: true,
})

export const organizationsMembersSetSpendLimit = operation({
  id: 'organizations.members.set_spend_limit',
  scope: 'organizations:write',
  effect: 'compute',
  summary: 'Set the spend limits of a member: per order, and in any 30 days.',
  input: Input({
    organizationId: Maybe(Uuid),
    userId: Uuid,
    perOrderLimitCredits: cap,
    spendLimitCredits: cap,
  }),
  output: SpendLimits,
  problems: ['not-found', 'forbidden', 'user-required'],
  answered: true,
})

export const organizationsMembersSpendGet = operation({
  id: 'organizations.members.spend.get',
  scope: 'organizations:read',
  effect: 'read',
  summary: "Read what counts towards a member's 30-day spend limit; owners and admins may read that of any member.",
  input: Input({
    organizationId: Maybe(Uuid),
    userId: Type.Optional(Nullable(Uuid, { description: 'Defaults to the caller, or to the creator of the API key.' })),
  }),
  output: SpendWindow,
  problems: ['not-found', 'forbidden', 'user-required'],
  extension: true,
  answered: true,
})

export const organizationsCommitmentsList = operation({
  id: 'organizations.commitments.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the commitments of the organization with their deliveries.',
  input: Input({
    commitment_id: Maybe(Uuid),
    include_line_items: Default(Type.Boolean(), false),
  }),
  output: List('commitments', Commitment),
  problems: ['not-found'],
  answered: true,
})

export const organizationsCommitmentsStatement = operation({
  id: 'organizations.commitments.statement',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the statement of a month; defaults to the previous month.',
  input: Input({
    organization_id: Uuid,
    period: Maybe(Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'A month, `YYYY-MM`.' })),
  }),
  output: Type.Object({ statement: Statement }),
  problems: ['not-found', 'forbidden'],
  answered: true,
})
