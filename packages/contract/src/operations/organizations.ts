import Type from 'typebox'
import { limits, sandbox_years } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { Commitment, MonthlyStatement } from '../schemas/commitment.ts'
import {
  Email,
  Member,
  organizationDetailFields,
  OrganizationDetails,
  OrganizationRole,
  SpendLimits,
  SpendWindow,
} from '../schemas/member.ts'
import {
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  Nullable,
  AnyObject,
  Month,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'

const optionalText = OptionalNullable(Type.String({ maxLength: limits.max_text_length }))
const optionalCreditLimit = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    description: 'Null or absent means unlimited; both limits are replaced.',
  }),
)

export const organizationsCreateOperation = operation({
  id: 'organizations.create',
  scope: 'organizations:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Create an organization; a user without one becomes its owner.',
  input: StrictObject({
    name: Type.String({ minLength: 1, maxLength: limits.max_name_length }),
    description: optionalText,
    website: optionalText,
    industry: optionalText,
    size: optionalText,
    country: optionalText,
    abn: WithDescription('Australian Business Number.', optionalText),
    tax_number: optionalText,
    billing_email: OptionalNullable(Email),
    billing_admin_id: OptionalNullable(Uuid),
    billing_address: OptionalNullable(AnyObject),
    enterprise_billing: WithDefault(Type.Boolean({ description: 'Only administrators may set it.' }), false),
    sandbox: WithDefault(
      Type.Boolean({ description: 'For tests: a clock of its own and play money. It stays a sandbox for ever.' }),
      false,
    ),
    sandbox_seed: OptionalNullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The same seed and the same calls give the same events; random by default.',
      }),
    ),
    sandbox_time: WithDescription(
      `The first time of the sandbox, in the years ${sandbox_years.first} to ${sandbox_years.last}; absent: now.`,
      OptionalNullable(Timestamp),
    ),
  }),
  output: Type.Object({
    id: Uuid,
    name: Type.String(),
    slug: Type.String(),
    enterprise_billing: Type.Boolean(),
    sandbox: Type.Boolean(),
  }),
  problems: ['forbidden', 'invalid-state'],
  implemented: true,
})

export const organizationsGetOperation = operation({
  id: 'organizations.get',
  scope: 'organizations:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Read the details of the organization that its invoices name.',
  input: StrictObject({ organization_id: OptionalNullable(Uuid) }),
  output: Type.Object({ organization: OrganizationDetails }),
  problems: ['not-found'],
  extension: true,
  implemented: true,
})

export const organizationsUpdateOperation = operation({
  id: 'organizations.update',
  scope: 'organizations:write',
  permission: 'bill',
  effect: 'compute',
  summary: 'Change the details of the organization for its next invoices; issued ones keep what was true.',
  input: StrictObject({
    organization_id: WithDescription('Null is the organization of the caller.', OptionalNullable(Uuid)),
    ...organizationDetailFields,
  }),
  output: Type.Object({ organization: OrganizationDetails }),
  problems: ['not-found'],
  extension: true,
  implemented: true,
})

export const organizationsDeleteOperation = operation({
  id: 'organizations.delete',
  scope: 'organizations:write',
  permission: 'own',
  callers: 'users',
  effect: 'destructive',
  summary: 'Close the organization in 30 days, with its imagery, files and credits; until then everything works.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    reason: WithDescription('For the audit trail and the event.', OptionalNullable(Type.String({ maxLength: 500 }))),
  }),
  output: Type.Object({ organization_id: Uuid, delete_at: Timestamp }),
  problems: ['not-found', 'invalid-state'],
  emits: ['organization.deletion_scheduled'],
  extension: true,
  implemented: true,
})

export const organizationsRestoreOperation = operation({
  id: 'organizations.restore',
  scope: 'organizations:write',
  permission: 'own',
  callers: 'users',
  effect: 'compute',
  summary: 'Keep an organization that was to be closed.',
  input: StrictObject({ organization_id: OptionalNullable(Uuid) }),
  output: Type.Object({ organization_id: Uuid }),
  problems: ['not-found', 'invalid-state'],
  emits: ['organization.deletion_cancelled'],
  extension: true,
  implemented: true,
})

export const organizationsMembersListOperation = operation({
  id: 'organizations.members.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the members of an organization with their roles and spend limits.',
  input: StrictObject({ organizationId: OptionalNullable(Uuid) }),
  output: List('members', Member),
  problems: ['not-found'],
  implemented: true,
})

export const organizationsMembersAddOperation = operation({
  id: 'organizations.members.add',
  scope: 'organizations:write',
  callers: 'users',
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
  extension: true,
  implemented: true,
})

export const organizationsMembersSetSpendLimitOperation = operation({
  id: 'organizations.members.set_spend_limit',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
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
  implemented: true,
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
  implemented: true,
})

export const organizationsCommitmentsListOperation = operation({
  id: 'organizations.commitments.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the commitments of the organization with their deliveries.',
  input: StrictObject({
    commitment_id: OptionalNullable(Uuid),
    include_line_items: WithDefault(Type.Boolean(), false),
  }),
  output: List('commitments', Commitment),
  problems: ['not-found'],
  implemented: true,
})

export const organizationsCommitmentsStatementOperation = operation({
  id: 'organizations.commitments.statement',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Read the statement of a month; defaults to the previous month.',
  input: StrictObject({
    organization_id: Uuid,
    period: OptionalNullable(Month),
  }),
  output: Type.Object({ statement: MonthlyStatement }),
  problems: ['not-found'],
  implemented: true,
})
