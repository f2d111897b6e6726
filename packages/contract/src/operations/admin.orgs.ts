import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { PlanId, CreditAdjustmentAmount } from '../schemas/billing.ts'
import {
  Nullable,
  Timestamp,
  Uuid,
  OptionalNullable,
  StrictObject,
  WithDefault,
  WithDescription,
  Count,
  Credits,
  OperatorReason,
} from '../schemas/primitives.ts'
import { createSpendFields, WithDryRun } from '../schemas/spend.ts'

const OrganizationState = Type.Enum(['active', 'suspended', 'deleted'])

const organizationFields = {
  id: Uuid,
  name: Type.String(),
  plan: PlanId,
  status: OrganizationState,
  sandbox: Type.Boolean(),
  created_at: Timestamp,
  delete_after: Nullable(Timestamp, { description: 'When it will be deleted; null if that is not planned.' }),
  suspended_at: Nullable(Timestamp),
  suspended_reason: Nullable(Type.String(), { description: 'The reason of the suspension that is in force.' }),
}

const OperatedOrganization = Type.Object(organizationFields)

export const adminOrgsListOperation = operation({
  id: 'admin.orgs.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations of the platform with their plan and status, newest first.',
  input: StrictObject({
    plan: WithDescription('Only organizations with this plan.', OptionalNullable(PlanId)),
    status: OptionalNullable(OrganizationState),
    search: OptionalNullable(
      Type.String({ minLength: 1, maxLength: 255, description: 'Only organizations whose name contains this text.' }),
    ),
    include_sandboxes: WithDefault(Type.Boolean({ description: 'List sandbox organizations, too.' }), false),
    ...offsetPaging(),
  }),
  output: ListEnvelope('organizations', OperatedOrganization),
  paging: 'offset',
  extension: true,
})

export const adminOrgsGetOperation = operation({
  id: 'admin.orgs.get',
  scope: 'admin:read',
  effect: 'read',
  summary: 'Read one organization: plan, status, members and wallet.',
  input: StrictObject({ organization_id: Uuid }),
  output: Type.Object({
    ...organizationFields,
    slug: Type.String(),
    country: Nullable(Type.String()),
    billing_email: Nullable(Type.String()),
    member_count: Count,
    available_credits: Credits,
  }),
  problems: ['not-found'],
  extension: true,
})

export const adminOrgsSuspendOperation = operation({
  id: 'admin.orgs.suspend',
  scope: 'admin:write',
  effect: 'destructive',
  summary:
    'Suspend an organization: it buys nothing more and its share links close; its members still read and download.',
  input: StrictObject({ organization_id: Uuid, reason: OperatorReason }),
  output: OperatedOrganization,
  problems: ['not-found', 'invalid-state'],
  emits: ['organization.suspended'],
  extension: true,
})

export const adminOrgsResumeOperation = operation({
  id: 'admin.orgs.resume',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'End the suspension of an organization.',
  input: StrictObject({ organization_id: Uuid, reason: OperatorReason }),
  output: OperatedOrganization,
  problems: ['not-found', 'invalid-state'],
  emits: ['organization.resumed'],
  extension: true,
})

export const adminOrgsCreditAdjustOperation = operation({
  id: 'admin.orgs.credit_adjust',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Add credits to the wallet of an organization, or remove them; large amounts need two operators.',
  input: StrictObject({
    organization_id: Uuid,
    amount_credits: CreditAdjustmentAmount,
    reason: OperatorReason,
    ...createSpendFields('Refuse the call with `spend-limit-exceeded` if it would add or remove more than this.'),
  }),
  output: WithDryRun(
    Type.Object({
      transaction_id: Uuid,
      organization_id: Uuid,
      amount_credits: Credits,
      available_credits: Credits,
    }),
  ),
  problems: ['not-found', 'forbidden', 'insufficient-credits', 'spend-limit-exceeded'],
  idempotent: true,
  extension: true,
})

export const adminOrgsSetPlanOperation = operation({
  id: 'admin.orgs.set_plan',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Change the plan of an organization; its items get the retention of the new plan, starting now.',
  input: StrictObject({
    organization_id: Uuid,
    plan: WithDescription('`enterprise` is invoiced monthly; every other plan is pay-as-you-go.', PlanId),
    reason: OperatorReason,
  }),
  output: Type.Object({
    organization_id: Uuid,
    plan: PlanId,
    previous_plan: PlanId,
  }),
  problems: ['not-found'],
  emits: ['organization.plan_changed'],
  extension: true,
})
