import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { DeadLetter, MonthlyBillingRun } from '../schemas/billing.ts'
import {
  Count,
  WithDefault,
  StrictObject,
  OptionalNullable,
  OptionalOperatorReason,
  ReasonInput,
  EmptyInput,
  Month,
  Nullable,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { spendFieldsWith, WithDryRun } from '../schemas/spend.ts'

const organizationFields = { organization_id: Uuid }
const period = OptionalNullable(Month)

const accruedFields = {
  amount_aud: Type.Number(),
  reference: Nullable(Type.String(), {
    description: 'The invoice that contains it, of this platform or an external one.',
  }),
  at: Timestamp,
}

/** The accrued charges of an enterprise organization in a month, and how much of them is invoiced. */
const Accrual = Type.Object({
  organization_id: Uuid,
  period: Type.String(),
  total_aud: Type.Number(),
  invoiced_aud: Type.Number(),
  orders: Type.Array(
    Type.Object({
      order_id: Uuid,
      kind: Type.String({ description: 'What was charged, such as `order`.' }),
      ...accruedFields,
    }),
  ),
  true_ups: Type.Array(Type.Object({ commitment_id: Uuid, ...accruedFields }), {
    description: 'Shortfall charges of commitments whose period ended in the month.',
  }),
})

const failures = Type.Array(Type.Object({ organization_id: Uuid, error: Type.String() }))

const Organization = Type.Object({ organization_id: Uuid, name: Type.String(), created_at: Timestamp })

export const billingRunMonthlyCronOperation = operation({
  id: 'billing.run_monthly_cron',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Close the previous month for every organization, each in its own transaction.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    ...spendFieldsWith(
      'Refuse the call with `spend-limit-exceeded` if the shortfalls of all organizations are together more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(
    Type.Object({
      runs: Type.Array(MonthlyBillingRun),
      failures,
    }),
  ),
  problems: ['spend-limit-exceeded'],
  emits: ['invoice.issued', 'invoice.credited', 'commitment.closed'],
  implemented: true,
})

export const billingEnterpriseAccrualOperation = operation({
  id: 'billing.enterprise.accrual',
  scope: 'admin:read',
  effect: 'read',
  summary: 'Read the accrued charges of an enterprise organization in a month.',
  input: StrictObject({ ...organizationFields, period }),
  output: Type.Object({ accrual: Accrual }),
  problems: ['not-found'],
  implemented: true,
})

export const billingEnterpriseMarkInvoicedOperation = operation({
  id: 'billing.enterprise.mark_invoiced',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Mark accruals as invoiced externally under a reference; the monthly billing run then skips them.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    ...organizationFields,
    reference: Type.String({ minLength: 1, maxLength: 500, description: 'The number of the external invoice.' }),
    period,
    order_ids: OptionalNullable(Type.Array(Uuid, { maxItems: 10_000 })),
    note: OptionalNullable(Type.String({ maxLength: limits.max_text_length })),
  }),
  output: Type.Object({
    organization_id: Uuid,
    reference: Type.String(),
    marked_count: Count,
    total_aud: Type.Number(),
  }),
  problems: ['not-found', 'invalid-state'],
  implemented: true,
})

export const billingFreeTierApproveOperation = operation({
  id: 'billing.free_tier.approve',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Approve an organization for the free plan and grant its first credits.',
  input: StrictObject({ reason: OptionalOperatorReason, ...organizationFields, admin_user_id: OptionalNullable(Uuid) }),
  output: Type.Object({ organization_id: Uuid, granted_credits: Count }),
  problems: ['not-found', 'already-decided'],
  implemented: true,
})

export const billingFreeTierGrantAllOperation = operation({
  id: 'billing.free_tier.grant_all',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Grant the monthly credits to every organization on the free plan, once per month.',
  input: ReasonInput,
  output: Type.Object({ organization_count: Count, granted_credits: Count, failures }),
  implemented: true,
})

export const billingFreeTierListPendingOperation = operation({
  id: 'billing.free_tier.list_pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations that wait for approval for the free plan.',
  input: EmptyInput,
  output: List('organizations', Organization),
  implemented: true,
})

export const billingFreeTierRevokeOperation = operation({
  id: 'billing.free_tier.revoke',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Remove an organization from the free plan and expire its free credits.',
  input: StrictObject({ ...organizationFields, reason: OptionalOperatorReason }),
  output: Type.Object({ organization_id: Uuid, expired_credits: Count }),
  problems: ['not-found', 'invalid-state'],
  implemented: true,
})

export const billingJobsSettleUnsettledOperation = operation({
  id: 'billing.jobs.settle_unsettled',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Settle or release the holds of jobs that have ended.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    limit: WithDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), 500),
    organization_id: OptionalNullable(Uuid),
    ...spendFieldsWith(
      'Refuse the call with `spend-limit-exceeded` if the holds that it would resolve are together more than this.',
    ),
  }),
  output: WithDryRun(Type.Object({ captured_count: Count, released_count: Count, job_ids: Type.Array(Uuid) })),
  problems: ['not-found', 'spend-limit-exceeded'],
  emits: ['job.captured', 'job.released'],
  implemented: true,
})

export const billingDeletionsPendingOperation = operation({
  id: 'billing.deletions.pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations scheduled for deletion, with the date.',
  input: EmptyInput,
  output: List('organizations', Type.Object({ ...Organization.properties, delete_at: Timestamp })),
  implemented: true,
})

export const billingCleanupDeletedOrgsOperation = operation({
  id: 'billing.cleanup_deleted_orgs',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Close the accounts of organizations whose deletion date has passed and that have no pending work.',
  input: ReasonInput,
  output: Type.Object({ organization_ids: Type.Array(Uuid), expired_credits: Count, failures }),
  implemented: true,
})

export const billingDlqListPendingOperation = operation({
  id: 'billing.dlq.list_pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the billing tasks that have used up their retries (dead letters), oldest first.',
  input: EmptyInput,
  output: List('dead_letters', DeadLetter),
  implemented: true,
})

export const billingDlqReplayOperation = operation({
  id: 'billing.dlq.replay',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Retry the oldest dead letters of billing.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    batch_size: WithDefault(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum number of dead letters to retry.' }),
      100,
    ),
  }),
  output: Type.Object({ replayed_count: Count, failed_count: Count }),
  implemented: true,
})
