import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { paymentProblems } from '../problems.ts'
import { Bytes } from '../shapes/answers.ts'
import {
  Approval,
  AutoTopup,
  BillingStatus,
  Invoice,
  MonthlyRun,
  Plan,
  ProcessorInvoice,
  Refund,
  Topup,
} from '../shapes/billing.ts'
import { Default, Described, Input, Maybe, NoInput, Nullable, Uuid } from '../shapes/primitives.ts'

const Positive = Type.Integer({ exclusiveMinimum: 0, maximum: 1_000_000_000 })
const oneInvoice = { invoice_id: Uuid }
const oneApproval = { approval_id: Uuid }
const newest = Input({ limit: Default(Type.Integer({ minimum: 1, maximum: 1000 }), 50) })

export const billingStatusGet = operation({
  id: 'billing.status.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the plan of an organization and whether it is paid up.',
  input: Input({ organization_id: Uuid }),
  output: Type.Object({ billing_status: BillingStatus }),
  problems: ['not-found'],
  answered: true,
})

export const billingPlansList = operation({
  id: 'billing.plans.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the plans.',
  input: NoInput,
  output: List('plans', Plan),
  answered: true,
})

export const billingTopup = operation({
  id: 'billing.topup',
  scope: 'billing:write',
  effect: 'spend',
  summary: 'Charge a saved card and grant the credits; the key keeps the charge from happening twice.',
  input: Input({
    credits: Type.Integer({ minimum: 500, maximum: 1_000_000 }),
    payment_method_row_id: Type.Optional(Nullable(Uuid, { description: 'Without it the default card.' })),
  }),
  output: Topup,
  status: 201,
  problems: ['not-found', 'forbidden', 'payment-declined', 'payment-action-required', 'upstream'],
  emits: ['topup.succeeded', 'topup.failed', 'credits.purchased', 'organization.plan_changed'],
  idempotent: true,
  answered: true,
})

export const billingRefundsRequest = operation({
  id: 'billing.refunds.request',
  scope: 'billing:write',
  effect: 'spend',
  summary: 'Give unspent credits of a top-up back for their money, which goes to the card that paid.',
  input: Input({
    topup_id: Uuid,
    credits: Type.Optional(Nullable(Positive, { description: 'Without it all that is left of the top-up.' })),
    reason: Maybe(Type.String({ maxLength: limits.text_length })),
  }),
  output: Refund,
  status: 201,
  problems: ['not-found', 'forbidden', 'user-required', 'invalid-state'],
  emits: ['topup.refunded', 'topup.refund_failed'],
  idempotent: true,
  extension: true,
  answered: true,
})

export const billingAutoTopupGet = operation({
  id: 'billing.auto_topup.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the settings of automatic top-up.',
  input: NoInput,
  output: Type.Object({ auto_topup: AutoTopup }),
  answered: true,
})

export const billingSetAutoTopup = operation({
  id: 'billing.set_auto_topup',
  scope: 'billing:write',
  effect: 'compute',
  summary: 'Set when and by how much the wallet fills itself; it needs a default card.',
  input: Input({
    enabled: Type.Boolean(),
    threshold_credits: Described('Below so many available credits it fills up.', Positive),
    topup_amount_credits: Positive,
    daily_charge_cap_aud: Described(
      'In whole cents; null for no cap.',
      Maybe(Type.Number({ exclusiveMinimum: 0, maximum: 10_000_000 })),
    ),
  }),
  output: AutoTopup,
  problems: ['forbidden', 'invalid-state'],
  answered: true,
})

export const billingApprovalsRequest = operation({
  id: 'billing.approvals.request',
  scope: 'billing:write',
  effect: 'compute',
  summary: 'Ask for a top-up that somebody else approves.',
  input: Input({
    credits: Positive,
    expiry_hours: Maybe(Type.Integer({ exclusiveMinimum: 0, maximum: 720, description: 'Without it 72.' })),
  }),
  output: Approval,
  problems: ['user-required'],
  answered: true,
})

export const billingApprovalsApprove = operation({
  id: 'billing.approvals.approve',
  scope: 'billing:write',
  effect: 'spend',
  summary: 'Approve a top-up and charge the default card; a person other than the one who asked.',
  input: Input(oneApproval),
  output: Approval,
  problems: [
    'not-found',
    'forbidden',
    'user-required',
    'already-decided',
    'gone-expired',
    'upstream',
    ...paymentProblems,
  ],
  emits: ['topup.succeeded', 'topup.failed', 'credits.purchased', 'organization.plan_changed'],
  idempotent: true,
  answered: true,
})

export const billingApprovalsReject = operation({
  id: 'billing.approvals.reject',
  scope: 'billing:write',
  effect: 'compute',
  summary: 'Refuse a top-up that was asked for.',
  input: Input({
    ...oneApproval,
    reason: Maybe(Type.String({ maxLength: limits.text_length })),
  }),
  output: Approval,
  problems: ['not-found', 'forbidden', 'user-required', 'already-decided', 'gone-expired'],
  answered: true,
})

export const billingApprovalsGet = operation({
  id: 'billing.approvals.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read one request for a top-up.',
  input: Input(oneApproval),
  output: Type.Object({ approval: Approval }),
  problems: ['not-found'],
  answered: true,
})

export const billingApprovalsList = operation({
  id: 'billing.approvals.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the requests for a top-up.',
  input: Input({ status: Maybe(Approval.properties.status) }),
  output: List('approvals', Approval),
  answered: true,
})

export const billingInvoicesList = operation({
  id: 'billing.invoices.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List our invoices, receipts and credit notes, newest first.',
  input: newest,
  output: List('invoices', Invoice),
  answered: true,
})

export const billingInvoicesGet = operation({
  id: 'billing.invoices.get',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read one invoice, receipt or credit note.',
  input: Input(oneInvoice),
  output: Type.Object({ invoice: Invoice }),
  problems: ['not-found'],
  extension: true,
  answered: true,
})

export const billingInvoicesDownload = operation({
  id: 'billing.invoices.download',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Download an invoice, receipt or credit note as PDF.',
  input: Input(oneInvoice),
  output: Bytes(['application/pdf']),
  answer: 'bytes',
  problems: ['not-found'],
  extension: true,
  answered: true,
})

export const billingStripeInvoicesList = operation({
  id: 'billing.stripe_invoices.list',
  scope: 'billing:read',
  effect: 'read',
  summary: "List the payment processor's invoices, newest first; empty without a processor.",
  input: newest,
  output: List('invoices', ProcessorInvoice),
  problems: ['payment-declined', 'upstream'],
  answered: true,
})

export const billingRunMonthlyForOrg = operation({
  id: 'billing.run_monthly_for_org',
  scope: 'billing:write',
  effect: 'spend',
  summary: 'Close the month before this one for an organization: true up, invoice, expire and grant; twice is once.',
  input: Input({ organization_id: Uuid }),
  output: MonthlyRun,
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['invoice.issued', 'invoice.credited', 'commitment.closed'],
  idempotent: true,
  answered: true,
})
