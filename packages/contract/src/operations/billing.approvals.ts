import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { paymentProblems } from '../problems.ts'
import { TopupApproval, PositiveCredits } from '../schemas/billing.ts'
import { Uuid, StrictObject, OptionalNullable } from '../schemas/primitives.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'

const approvalFields = { approval_id: Uuid }

export const billingApprovalsRequestOperation = operation({
  id: 'billing.approvals.request',
  scope: 'billing:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Request a top-up that another person must approve.',
  input: StrictObject({
    credits: PositiveCredits,
    expiry_hours: OptionalNullable(Type.Integer({ exclusiveMinimum: 0, maximum: 720, description: 'Defaults to 72.' })),
  }),
  output: TopupApproval,
})

export const billingApprovalsApproveOperation = operation({
  id: 'billing.approvals.approve',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users',
  effect: 'spend',
  summary: 'Approve a top-up request and charge the default card; the requester cannot approve it.',
  input: StrictObject({ ...approvalFields, ...spendFields }),
  output: WithDryRun(TopupApproval),
  problems: ['not-found', 'already-decided', 'gone-expired', 'upstream', ...paymentProblems],
  emits: ['topup.succeeded', 'topup.failed', 'credits.purchased', 'organization.plan_changed'],
  idempotent: true,
})

export const billingApprovalsRejectOperation = operation({
  id: 'billing.approvals.reject',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users',
  effect: 'compute',
  summary: 'Reject a top-up request.',
  input: StrictObject({
    ...approvalFields,
    reason: OptionalNullable(Type.String({ maxLength: limits.max_text_length })),
  }),
  output: TopupApproval,
  problems: ['not-found', 'already-decided', 'gone-expired'],
})

export const billingApprovalsGetOperation = operation({
  id: 'billing.approvals.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read a top-up request.',
  input: StrictObject(approvalFields),
  output: Type.Object({ approval: TopupApproval }),
  problems: ['not-found'],
})

export const billingApprovalsListOperation = operation({
  id: 'billing.approvals.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the top-up requests.',
  input: StrictObject({ status: OptionalNullable(TopupApproval.properties.status) }),
  output: ListEnvelope('approvals', TopupApproval),
})
