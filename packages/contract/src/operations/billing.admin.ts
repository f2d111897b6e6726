import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { DeadLetter, MonthlyRun } from '../shapes/billing.ts'
import { Count, Default, Input, Maybe, NoInput, Nullable, Timestamp, Uuid } from '../shapes/primitives.ts'

const organization = { organization_id: Uuid }
const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'A month, `YYYY-MM`.' })
const period = Maybe(Month)

const Accrued = {
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
      ...Accrued,
    }),
  ),
  true_ups: Type.Array(Type.Object({ commitment_id: Uuid, ...Accrued }), {
    description: 'Shortfall charges of commitments whose period ended in the month.',
  }),
})

const failures = Type.Array(Type.Object({ organization_id: Uuid, error: Type.String() }))

const Organization = Type.Object({ organization_id: Uuid, name: Type.String(), created_at: Timestamp })

export const billingRunMonthlyCron = operation({
  id: 'billing.run_monthly_cron',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Close the previous month for every organization, each in its own transaction.',
  input: NoInput,
  output: Type.Object({
    runs: Type.Array(MonthlyRun),
    failures,
  }),
  emits: ['invoice.issued', 'invoice.credited', 'commitment.closed'],
  answered: true,
})

export const billingEnterpriseAccrual = operation({
  id: 'billing.enterprise.accrual',
  scope: 'admin:read',
  effect: 'read',
  summary: 'Read the accrued charges of an enterprise organization in a month.',
  input: Input({ ...organization, period }),
  output: Type.Object({ accrual: Accrual }),
  problems: ['not-found'],
  answered: true,
})

export const billingEnterpriseMarkInvoiced = operation({
  id: 'billing.enterprise.mark_invoiced',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Mark accruals as invoiced externally under a reference; the monthly billing run then skips them.',
  input: Input({
    ...organization,
    reference: Type.String({ minLength: 1, maxLength: 500, description: 'The number of the external invoice.' }),
    period,
    order_ids: Maybe(Type.Array(Uuid, { maxItems: 10_000 })),
    note: Maybe(Type.String({ maxLength: limits.text_length })),
  }),
  output: Type.Object({
    organization_id: Uuid,
    reference: Type.String(),
    marked_count: Count,
    total_aud: Type.Number(),
  }),
  problems: ['not-found', 'invalid-state'],
  answered: true,
})

export const billingFreeTierApprove = operation({
  id: 'billing.free_tier.approve',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Approve an organization for the free plan and grant its first credits.',
  input: Input({ ...organization, admin_user_id: Maybe(Uuid) }),
  output: Type.Object({ organization_id: Uuid, granted_credits: Count }),
  problems: ['not-found', 'already-decided'],
  answered: true,
})

export const billingFreeTierGrantAll = operation({
  id: 'billing.free_tier.grant_all',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Grant the monthly credits to every organization on the free plan, once per month.',
  input: NoInput,
  output: Type.Object({ organization_count: Count, granted_credits: Count, failures }),
  answered: true,
})

export const billingFreeTierListPending = operation({
  id: 'billing.free_tier.list_pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations that wait for approval for the free plan.',
  input: NoInput,
  output: List('organizations', Organization),
  answered: true,
})

export const billingFreeTierRevoke = operation({
  id: 'billing.free_tier.revoke',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Remove an organization from the free plan and expire its free credits.',
  input: Input(organization),
  output: Type.Object({ organization_id: Uuid, expired_credits: Count }),
  problems: ['not-found', 'invalid-state'],
  answered: true,
})

export const billingJobsSettleUnsettled = operation({
  id: 'billing.jobs.settle_unsettled',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Settle or release the holds of jobs that have ended.',
  input: Input({
    limit: Default(Type.Integer({ minimum: 1, maximum: 10_000 }), 500),
    organization_id: Maybe(Uuid),
  }),
  output: Type.Object({ captured_count: Count, released_count: Count, job_ids: Type.Array(Uuid) }),
  problems: ['not-found'],
  emits: ['job.captured', 'job.released'],
  answered: true,
})

export const billingDeletionsPending = operation({
  id: 'billing.deletions.pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations scheduled for deletion, with the date.',
  input: NoInput,
  output: List('organizations', Type.Object({ ...Organization.properties, delete_at: Timestamp })),
  answered: true,
})

export const billingCleanupDeletedOrgs = operation({
  id: 'billing.cleanup_deleted_orgs',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Close the accounts of organizations whose deletion date has passed and that have no pending work.',
  input: NoInput,
  output: Type.Object({ organization_ids: Type.Array(Uuid), expired_credits: Count, failures }),
  answered: true,
})

export const billingDlqListPending = operation({
  id: 'billing.dlq.list_pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the billing tasks that have used up their retries (dead letters), oldest first.',
  input: NoInput,
  output: List('dead_letters', DeadLetter),
  answered: true,
})

export const billingDlqReplay = operation({
  id: 'billing.dlq.replay',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Retry the oldest dead letters of billing.',
  input: Input({
    batch_size: Default(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum number of dead letters to retry.' }),
      100,
    ),
  }),
  output: Type.Object({ replayed_count: Count, failed_count: Count }),
  answered: true,
})
