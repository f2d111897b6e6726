import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { Balance } from '../schemas/balance.ts'
import {
  BillingStatus,
  SpendingForecast,
  Plan,
  Topup,
  TopupRefund,
  PositiveCredits,
  AutoTopup,
  ProcessorInvoice,
  NewestRowsInput,
  MonthlyBillingRun,
  organizationFailureFields,
  billedOrganizationFields,
  DeadLetter,
} from '../schemas/billing.ts'
import { Lot, JournalExportLine, LedgerVerificationResult, ChargeExplanation } from '../schemas/ledger.ts'
import {
  StrictObject,
  Uuid,
  EmptyInput,
  Nullable,
  OptionalNullable,
  WithDescription,
  Month,
  Timestamp,
  OptionalOperatorReason,
  Count,
  WithDefault,
  ReasonInput,
} from '../schemas/primitives.ts'
import { NdjsonLines } from '../schemas/response-bodies.ts'
import { spendFields, WithDryRun, createSpendFields } from '../schemas/spend.ts'
import { Transaction, walletTransactionReasons } from '../schemas/transaction.ts'

const DailyTopupLimit = Type.Number({
  exclusiveMinimum: 0,
  maximum: 10_000_000,
  description: 'AUD in a day of UTC, for top-ups of all kinds together; at most two decimal places.',
})

export const billingStatusGetOperation = operation({
  id: 'billing.status.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the plan and the payment status of an organization.',
  input: StrictObject({ organization_id: Uuid }),
  output: Type.Object({ billing_status: BillingStatus }),
  problems: ['not-found'],
})

export const billingForecastOperation = operation({
  id: 'billing.forecast',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Estimate what will have been spent at the end of the month, at the pace of the last 30 days.',
  input: StrictObject({ organization_id: Uuid }),
  output: SpendingForecast,
  problems: ['not-found'],
  extension: true,
})

export const billingPlansListOperation = operation({
  id: 'billing.plans.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the plans.',
  input: EmptyInput,
  output: ListEnvelope('plans', Plan),
})

export const billingTopupOperation = operation({
  id: 'billing.topup',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users-and-named-keys',
  effect: 'spend',
  summary: 'Charge a saved card and grant the credits; an `Idempotency-Key` prevents a double charge.',
  input: StrictObject({
    credits: Type.Integer({ minimum: 500, maximum: 1_000_000 }),
    payment_method_row_id: Type.Optional(Nullable(Uuid, { description: 'Defaults to the default card.' })),
    ...spendFields,
  }),
  output: WithDryRun(Topup),
  status: 201,
  problems: ['spend-limit-exceeded', 'not-found', 'payment-declined', 'payment-action-required', 'upstream'],
  emits: ['topup.succeeded', 'topup.failed', 'credits.purchased', 'organization.plan_changed'],
  idempotent: true,
})

export const billingRefundsRequestOperation = operation({
  id: 'billing.refunds.request',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users',
  effect: 'spend',
  summary: 'Refund unspent credits of a top-up to the card that paid for them.',
  input: StrictObject({
    topup_id: Uuid,
    credits: Type.Optional(
      Nullable(PositiveCredits, { description: 'Defaults to all unspent credits of the top-up.' }),
    ),
    reason: OptionalNullable(Type.String({ maxLength: limits.max_text_length })),
    ...createSpendFields('Refuse the call with `spend-limit-exceeded` if it would refund more than this.'),
  }),
  output: WithDryRun(TopupRefund),
  status: 201,
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['topup.refunded', 'topup.refund_failed'],
  idempotent: true,
  extension: true,
})

export const billingAutoTopupGetOperation = operation({
  id: 'billing.auto_topup.get',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Read the automatic top-up settings.',
  input: EmptyInput,
  output: Type.Object({ auto_topup: AutoTopup, daily_topup_limit_aud: DailyTopupLimit }),
})

export const billingSetAutoTopupOperation = operation({
  id: 'billing.set_auto_topup',
  scope: 'billing:write',
  permission: 'bill',
  callers: 'users-and-named-keys',
  effect: 'compute',
  summary: 'Configure automatic top-up of the wallet; it requires a default card.',
  input: StrictObject({
    enabled: Type.Boolean(),
    threshold_credits: WithDescription('A top-up starts when the available credits fall below this.', PositiveCredits),
    topup_amount_credits: PositiveCredits,
    daily_charge_cap_aud: WithDescription(
      'Maximum charge per day in AUD, with at most two decimal places; null for no limit.',
      OptionalNullable(Type.Number({ exclusiveMinimum: 0, maximum: 10_000_000 })),
    ),
  }),
  output: AutoTopup,
  problems: ['invalid-state', 'spend-limit-exceeded'],
})

export const billingSetDailyTopupLimitOperation = operation({
  id: 'billing.set_daily_topup_limit',
  scope: 'billing:write',
  permission: 'own',
  callers: 'users',
  effect: 'compute',
  summary: 'Set what the cards of the organization may be charged for credits in a day.',
  input: StrictObject({ daily_topup_limit_aud: DailyTopupLimit }),
  output: Type.Object({ daily_topup_limit_aud: DailyTopupLimit }),
  extension: true,
})

export const billingStripeInvoicesListOperation = operation({
  id: 'billing.stripe_invoices.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the invoices of the payment processor, newest first; empty if none is configured.',
  input: NewestRowsInput,
  output: ListEnvelope('invoices', ProcessorInvoice),
  problems: ['payment-declined', 'upstream'],
})

export const billingRunMonthlyForOrgOperation = operation({
  id: 'billing.run_monthly_for_org',
  scope: 'billing:write',
  permission: 'administer',
  callers: 'users-and-named-keys',
  effect: 'spend',
  summary: 'Close the previous month for an organization: true up, invoice, expire, grant; repeating it has no effect.',
  input: StrictObject({
    organization_id: Uuid,
    ...createSpendFields(
      'Refuse the call with `spend-limit-exceeded` if the shortfalls that it would charge are more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(MonthlyBillingRun),
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['invoice.issued', 'invoice.credited', 'commitment.closed'],
  idempotent: true,
})

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

export const billingRunMonthlyCronOperation = operation({
  id: 'billing.run_monthly_cron',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Close the previous month for every organization, each in its own transaction.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    ...createSpendFields(
      'Refuse the call with `spend-limit-exceeded` if the shortfalls of all organizations are together more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(
    Type.Object({
      runs: Type.Array(MonthlyBillingRun),
      ...organizationFailureFields,
    }),
  ),
  problems: ['spend-limit-exceeded'],
  emits: ['invoice.issued', 'invoice.credited', 'commitment.closed'],
})

export const billingEnterpriseAccrualOperation = operation({
  id: 'billing.enterprise.accrual',
  scope: 'admin:read',
  effect: 'read',
  summary: 'Read the accrued charges of an enterprise organization in a month.',
  input: StrictObject({ organization_id: Uuid, period }),
  output: Type.Object({ accrual: Accrual }),
  problems: ['not-found'],
})

export const billingEnterpriseMarkInvoicedOperation = operation({
  id: 'billing.enterprise.mark_invoiced',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Mark accruals as invoiced externally under a reference; the monthly billing run then skips them.',
  input: StrictObject({
    reason: OptionalOperatorReason,
    organization_id: Uuid,
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
    ...createSpendFields(
      'Refuse the call with `spend-limit-exceeded` if the holds that it would resolve are together more than this.',
    ),
  }),
  output: WithDryRun(Type.Object({ captured_count: Count, released_count: Count, job_ids: Type.Array(Uuid) })),
  problems: ['not-found', 'spend-limit-exceeded'],
  emits: ['job.captured', 'job.released'],
})

export const billingDeletionsPendingOperation = operation({
  id: 'billing.deletions.pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the organizations scheduled for deletion, with the date.',
  input: EmptyInput,
  output: ListEnvelope('organizations', Type.Object({ ...billedOrganizationFields, delete_at: Timestamp })),
})

export const billingCleanupDeletedOrgsOperation = operation({
  id: 'billing.cleanup_deleted_orgs',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Close the accounts of organizations whose deletion date has passed and that have no pending work.',
  input: ReasonInput,
  output: Type.Object({ organization_ids: Type.Array(Uuid), expired_credits: Count, ...organizationFailureFields }),
})

export const billingDlqListPendingOperation = operation({
  id: 'billing.dlq.list_pending',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the billing tasks that have used up their retries (dead letters), oldest first.',
  input: EmptyInput,
  output: ListEnvelope('dead_letters', DeadLetter),
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
})

export const billingLotsListOperation = operation({
  id: 'billing.lots.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the credit lots with their used, expired and remaining amounts, newest first.',
  input: StrictObject(offsetPaging()),
  output: ListEnvelope('lots', Lot),
  paging: 'offset',
  extension: true,
})

export const billingLedgerExportOperation = operation({
  id: 'billing.ledger.export',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'export',
  summary: 'Stream the journal, oldest entry first, with the hash chain for independent verification.',
  input: StrictObject({
    format: WithDefault(
      Type.Enum(['ndjson', 'csv'], { description: '`ndjson`: one entry per line; `csv`: one posting per line.' }),
      'ndjson',
    ),
    after: WithDefault(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only entries after this position.',
      }),
      0,
    ),
    limit: OptionalNullable(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Maximum number of entries; defaults to all.' }),
    ),
  }),
  output: NdjsonLines(JournalExportLine),
  response_kind: 'ndjson',
  alternative_media_types: ['text/csv'],
  extension: true,
})

export const billingLedgerVerifyOperation = operation({
  id: 'billing.ledger.verify',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Verify the whole journal: hashes, sums, positions, and the balances derived from it.',
  input: EmptyInput,
  output: LedgerVerificationResult,
  extension: true,
})

export const billingChargeExplainOperation = operation({
  id: 'billing.charge.explain',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Explain a charge line by line: quantity, rate, price date, discount, tax, hold and settlement.',
  input: StrictObject({
    order_id: Type.Optional(Nullable(Uuid, { description: 'Exactly one of the four ids is required.' })),
    job_id: OptionalNullable(Uuid),
    hold_id: OptionalNullable(Uuid),
    transaction_id: Type.Optional(Nullable(Uuid, { description: 'The id of a journal entry.' })),
  }),
  output: ChargeExplanation,
  problems: ['not-found', 'not-a-member', 'forbidden'],
  extension: true,
})

export const billingCreditsBalanceOperation = operation({
  id: 'billing.credits.balance',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the credits that are available and held, with the lots they come from.',
  input: EmptyInput,
  output: Balance,
})

export const billingCreditsTransactionsOperation = operation({
  id: 'billing.credits.transactions',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the transactions of the wallet, newest first.',
  input: StrictObject({
    ...offsetPaging(limits.short_offset_limit),
    reason: OptionalNullable(Type.Enum([...walletTransactionReasons])),
  }),
  output: ListEnvelope('transactions', Transaction),
  paging: 'offset',
})
