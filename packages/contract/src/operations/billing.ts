import Type from 'typebox'
import { spendFields, spendFieldsWith, WithDryRun } from '../schemas/spend.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { paymentProblems } from '../problems.ts'
import { Bytes } from '../schemas/response-bodies.ts'
import {
  TopupApproval,
  AutoTopup,
  BillingStatus,
  Invoice,
  MonthlyBillingRun,
  Plan,
  ProcessorInvoice,
  SpendingForecast,
  TopupRefund,
  Topup,
} from '../schemas/billing.ts'
import {
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  EmptyInput,
  Nullable,
  Uuid,
} from '../schemas/primitives.ts'

const Positive = Type.Integer({ exclusiveMinimum: 0, maximum: 1_000_000_000 })
const DailyTopupLimit = Type.Number({
  exclusiveMinimum: 0,
  maximum: 10_000_000,
  description: 'AUD in a day of UTC, for top-ups of all kinds together; at most two decimal places.',
})
const invoiceFields = { invoice_id: Uuid }
const approvalFields = { approval_id: Uuid }
const NewestRowsInput = StrictObject({ limit: WithDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 50) })

export const billingStatusGetOperation = operation({
  id: 'billing.status.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the plan and the payment status of an organization.',
  input: StrictObject({ organization_id: Uuid }),
  output: Type.Object({ billing_status: BillingStatus }),
  problems: ['not-found'],
  implemented: true,
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
  implemented: true,
})

export const billingPlansListOperation = operation({
  id: 'billing.plans.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the plans.',
  input: EmptyInput,
  output: List('plans', Plan),
  implemented: true,
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
  implemented: true,
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
    credits: Type.Optional(Nullable(Positive, { description: 'Defaults to all unspent credits of the top-up.' })),
    reason: OptionalNullable(Type.String({ maxLength: limits.max_text_length })),
    ...spendFieldsWith('Refuse the call with `spend-limit-exceeded` if it would refund more than this.'),
  }),
  output: WithDryRun(TopupRefund),
  status: 201,
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['topup.refunded', 'topup.refund_failed'],
  idempotent: true,
  extension: true,
  implemented: true,
})

export const billingAutoTopupGetOperation = operation({
  id: 'billing.auto_topup.get',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Read the automatic top-up settings.',
  input: EmptyInput,
  output: Type.Object({ auto_topup: AutoTopup, daily_topup_limit_aud: DailyTopupLimit }),
  implemented: true,
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
    threshold_credits: WithDescription('A top-up starts when the available credits fall below this.', Positive),
    topup_amount_credits: Positive,
    daily_charge_cap_aud: WithDescription(
      'Maximum charge per day in AUD, with at most two decimal places; null for no limit.',
      OptionalNullable(Type.Number({ exclusiveMinimum: 0, maximum: 10_000_000 })),
    ),
  }),
  output: AutoTopup,
  problems: ['invalid-state', 'spend-limit-exceeded'],
  implemented: true,
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
  implemented: true,
})

export const billingApprovalsRequestOperation = operation({
  id: 'billing.approvals.request',
  scope: 'billing:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Request a top-up that another person must approve.',
  input: StrictObject({
    credits: Positive,
    expiry_hours: OptionalNullable(Type.Integer({ exclusiveMinimum: 0, maximum: 720, description: 'Defaults to 72.' })),
  }),
  output: TopupApproval,
  implemented: true,
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
  implemented: true,
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
  implemented: true,
})

export const billingApprovalsGetOperation = operation({
  id: 'billing.approvals.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read a top-up request.',
  input: StrictObject(approvalFields),
  output: Type.Object({ approval: TopupApproval }),
  problems: ['not-found'],
  implemented: true,
})

export const billingApprovalsListOperation = operation({
  id: 'billing.approvals.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the top-up requests.',
  input: StrictObject({ status: OptionalNullable(TopupApproval.properties.status) }),
  output: List('approvals', TopupApproval),
  implemented: true,
})

export const billingInvoicesListOperation = operation({
  id: 'billing.invoices.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the invoices, receipts and credit notes of the platform, newest first.',
  input: NewestRowsInput,
  output: List('invoices', Invoice),
  implemented: true,
})

export const billingInvoicesGetOperation = operation({
  id: 'billing.invoices.get',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Read an invoice, receipt or credit note.',
  input: StrictObject(invoiceFields),
  output: Type.Object({ invoice: Invoice }),
  problems: ['not-found'],
  extension: true,
  implemented: true,
})

export const billingInvoicesDownloadOperation = operation({
  id: 'billing.invoices.download',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Download an invoice, receipt or credit note as PDF or UBL 2.1 (EN 16931, PINT A-NZ), or its lines as CSV.',
  input: StrictObject({
    ...invoiceFields,
    format: WithDefault(
      Type.Enum(['pdf', 'xml', 'csv'], {
        description: 'The receipt of an invoice has no XML, because it is not an invoice.',
      }),
      'pdf',
    ),
  }),
  output: Bytes(['application/pdf', 'application/xml', 'text/csv']),
  response_kind: 'bytes',
  problems: ['not-found', 'invalid-state'],
  extension: true,
  implemented: true,
})

export const billingStripeInvoicesListOperation = operation({
  id: 'billing.stripe_invoices.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the invoices of the payment processor, newest first; empty if none is configured.',
  input: NewestRowsInput,
  output: List('invoices', ProcessorInvoice),
  problems: ['payment-declined', 'upstream'],
  implemented: true,
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
    ...spendFieldsWith(
      'Refuse the call with `spend-limit-exceeded` if the shortfalls that it would charge are more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(MonthlyBillingRun),
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['invoice.issued', 'invoice.credited', 'commitment.closed'],
  idempotent: true,
  implemented: true,
})
