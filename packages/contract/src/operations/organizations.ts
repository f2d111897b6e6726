import Type from 'typebox'
import { Delegation, DelegationKindName } from '../delegations.ts'
import { limits, sandbox_clock_years } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { Commitment, MonthlyStatement } from '../schemas/commitment.ts'
import { MemberToken } from '../schemas/people/personal-token.ts'
import { Email, Member, OrganizationDetails, organizationDetailFields } from '../schemas/member.ts'
import { secondFactorRules } from '../schemas/people/account.ts'
import {
  Nullable,
  OkResultWithId,
  OptionalNullable,
  WithDefault,
  WithDescription,
  StrictObject,
  AnyObject,
  EmptyInput,
  Timestamp,
  Uuid,
  Month,
} from '../schemas/primitives.ts'

const optionalText = OptionalNullable(Type.String({ maxLength: limits.max_text_length }))

export const organizationsCreateOperation = operation({
  id: 'organizations.create',
  scope: 'organizations:write',
  callers: 'users',
  effect: 'compute',
  summary:
    'Create an organization, which the caller owns; tokens of the caller stay for the organization that they name.',
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
      `The first time of the sandbox, in the years ${sandbox_clock_years.first} to ${sandbox_clock_years.last}; absent: now.`,
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
})

export const organizationsLeaveOperation = operation({
  id: 'organizations.leave',
  scope: 'organizations:write',
  callers: 'users',
  effect: 'destructive',
  summary: 'Leave the organization of the token; its last owner cannot.',
  input: StrictObject({ organization_id: OptionalNullable(Uuid) }),
  output: Type.Object({ organization_id: Uuid }),
  problems: ['not-found', 'invalid-state'],
  emits: ['member.left', 'organization.delegations_stopped'],
  extension: true,
})

export const organizationsTransferOwnershipOperation = operation({
  id: 'organizations.transfer_ownership',
  scope: 'organizations:write',
  permission: 'own',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Make another member the owner; the caller becomes an admin.',
  input: StrictObject({ user_id: Uuid }),
  output: Type.Object({ owner: Member, former_owner: Member }),
  problems: ['not-found', 'invalid-state'],
  emits: ['organization.ownership_transferred'],
  extension: true,
})

export const organizationsCommitmentsListOperation = operation({
  id: 'organizations.commitments.list',
  scope: 'orders:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the commitments of the organization with their deliveries.',
  input: StrictObject({
    commitment_id: OptionalNullable(Uuid),
    include_line_items: WithDefault(Type.Boolean(), false),
  }),
  output: ListEnvelope('commitments', Commitment),
  problems: ['not-found'],
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
})

export const organizationsDelegationsListOperation = operation({
  id: 'organizations.delegations.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List what users and API keys have created that acts for them, with why some of it has stopped.',
  input: StrictObject({
    stopped: WithDefault(Type.Boolean({ description: 'Only what does not act any more.' }), true),
    ...offsetPaging(),
  }),
  output: ListEnvelope('delegations', Delegation),
  paging: 'offset',
  extension: true,
})

export const organizationsDelegationsTakeOverOperation = operation({
  id: 'organizations.delegations.take_over',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'compute',
  summary: 'Let what has stopped, because its creator may not act any more, act for the caller; keys get a new secret.',
  input: StrictObject({
    kind: WithDescription('What `delegation_id` is the id of.', DelegationKindName),
    delegation_id: Uuid,
  }),
  output: Type.Object({
    delegation: Delegation,
    secret: Nullable(
      Type.String({
        description:
          'The new secret of an API key or of the token of a worker, in this response only; the former one is not valid any more.',
      }),
    ),
  }),
  problems: ['not-found', 'invalid-state'],
  extension: true,
})

export const organizationsTokensListOperation = operation({
  id: 'organizations.tokens.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the personal access tokens of members for this organization, newest first.',
  input: StrictObject({
    user_id: WithDescription('Only tokens of this member.', OptionalNullable(Uuid)),
    ...offsetPaging(),
  }),
  output: ListEnvelope('tokens', MemberToken),
  paging: 'offset',
  problems: ['not-found'],
  extension: true,
})

export const organizationsTokensRevokeOperation = operation({
  id: 'organizations.tokens.revoke',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  effect: 'destructive',
  summary: 'Revoke a personal access token of a member immediately.',
  input: StrictObject({ token_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found', 'forbidden'],
  extension: true,
})

const OrganizationSecurity = Type.Object({
  second_factor: Type.Enum([...secondFactorRules], {
    description: 'With `required`, members get tokens of the organization only with a second factor.',
  }),
  members_without_second_factor: Type.Integer({
    minimum: 0,
    description: 'Members who have none, and so no token while it is required.',
  }),
})

export const organizationsSecurityGetOperation = operation({
  id: 'organizations.security.get',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'Read how members of the organization have to sign in.',
  input: EmptyInput,
  output: Type.Object({ security: OrganizationSecurity }),
  extension: true,
})

export const organizationsSecurityUpdateOperation = operation({
  id: 'organizations.security.update',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'Require a second factor of members, or not; sessions that signed in without one lose the organization.',
  input: StrictObject({
    second_factor: Type.Enum([...secondFactorRules], { description: 'Whether members need one.' }),
  }),
  output: Type.Object({ security: OrganizationSecurity }),
  problems: ['invalid-state'],
  extension: true,
})
