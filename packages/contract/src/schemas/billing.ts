import Type, { type Static } from 'typebox'
import { Count, Currency, Nullable, Timestamp, Uuid, WithDescription, StrictObject, WithDefault } from './primitives.ts'

const Aud = Type.Number({ description: 'AUD, including GST.' })

/** The amount by which an operator adjusts a wallet. */
export const CreditAdjustmentAmount = Type.Integer({
  minimum: -1_000_000_000,
  maximum: 1_000_000_000,
  not: { const: 0 },
  description: 'Not zero; a negative number removes credits.',
})

export const PlanId = Type.Enum(['free', 'prepaid', 'enterprise', 'internal'])

/** A plan: its price, credits and limits. */
export const Plan = Type.Object({
  id: PlanId,
  title: Type.String(),
  description: Type.String(),
  monthly_credits: Count,
  monthly_credits_expire_after_days: Nullable(Count),
  storage_quota_bytes: Nullable(Count),
  item_retention_days: Nullable(Count),
  concurrent_jobs: Nullable(Count),
  price_aud: Nullable(Aud),
})

export const BillingStatus = Type.Object({
  organization_id: Uuid,
  status: Type.Enum(['active', 'past_due', 'suspended', 'closed']),
  plan: PlanId,
  enterprise_billing: Type.Boolean(),
  has_default_payment_method: Type.Boolean(),
  past_due_since: Nullable(Timestamp),
})

/** A top-up request that a second person approves or rejects. */
export const TopupApproval = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  credits: Type.Integer({ minimum: 1 }),
  aud: Aud,
  status: Type.Enum(['pending', 'approved', 'rejected', 'expired', 'charge_failed', 'completed']),
  requested_by: Type.String(),
  decided_by: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  expires_at: Timestamp,
  decided_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export const AutoTopup = Type.Object({
  enabled: Type.Boolean(),
  threshold_credits: Type.Integer({ minimum: 1 }),
  topup_amount_credits: Type.Integer({ minimum: 1 }),
  daily_charge_cap_aud: Nullable(Type.Number({ minimum: 0 })),
  max_consecutive_declines: Count,
  consecutive_declines: Count,
})

export const Topup = Type.Object({
  id: Uuid,
  status: Type.String({ description: 'The status at the payment processor, such as `succeeded`.' }),
  credits: Type.Integer({ minimum: 1 }),
  aud: Aud,
  balance: Type.Object({ available_credits: Type.Integer(), held_credits: Count }),
})

/** A refund of unspent credits of a top-up. */
export const TopupRefund = Type.Object({
  id: Uuid,
  topup_id: Uuid,
  credits: Type.Integer({ minimum: 1 }),
  aud: Aud,
  status: Type.Literal('pending', {
    description: 'The credits are set aside; the event `topup.refunded` or `topup.refund_failed` reports the outcome.',
  }),
  reason: Nullable(Type.String()),
  created_at: Timestamp,
})

/** An invoice, receipt or credit note; in Australia the GST is one eleventh of the total. */
export const Invoice = Type.Object({
  id: Uuid,
  number: Nullable(Type.String(), { description: 'Null for a moment after it is issued.' }),
  kind: Type.Enum(['invoice', 'receipt', 'credit_note']),
  purpose: Type.Enum(['billing', 'play_money', 'sandbox'], {
    description:
      'Documents of play money and of sandboxes are not tax invoices: nothing is owed and nothing can be claimed.',
  }),
  period: Nullable(Type.String({ description: 'A month, `YYYY-MM`.' })),
  status: Type.Enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  currency: Currency,
  total_aud: Aud,
  gst_aud: Nullable(Type.Number(), { description: 'Included in the total; null if no GST applies.' }),
  credited_aud: Type.Number({ minimum: 0, description: 'Sum of its credit notes.' }),
  belongs_to_id: Nullable(Uuid, {
    description: 'The document that a credit note corrects, or the invoice that a receipt is for.',
  }),
  issued_at: Nullable(Timestamp),
  due_at: Nullable(Timestamp),
  paid_at: Nullable(Timestamp),
  lines: Type.Array(
    Type.Object({
      description: Type.String(),
      quantity: Type.Number(),
      unit: Nullable(Type.String()),
      unit_price_aud: Nullable(Type.Number()),
      amount_aud: Aud,
      order_id: Nullable(Uuid),
      scene_id: Nullable(Type.String(), { description: 'The scene that the line is for, with its host.' }),
      tax_code: Type.Enum(['S', 'G', 'O'], {
        description: 'UN/CEFACT 5305: GST of 10% included, export free of GST, not subject to GST.',
      }),
    }),
  ),
  payment: Nullable(
    Type.Object({
      method: Type.Enum(['card', 'bank_transfer']),
      card_brand: Nullable(Type.String()),
      card_last4: Nullable(Type.String()),
      reference: Nullable(Type.String({ description: 'The payment at the processor, or the bank transfer.' })),
    }),
    { description: 'How it was paid or refunded; null if it was not, or if that is not known.' },
  ),
})

/** An invoice of the payment processor. */
export const ProcessorInvoice = Type.Object({
  id: Type.String(),
  number: Nullable(Type.String()),
  status: Type.String(),
  currency: Type.String(),
  total_aud: Aud,
  hosted_url: Nullable(Type.String()),
  pdf_url: Nullable(Type.String()),
  created_at: Timestamp,
})

/** The result of closing a month for one organization. */
export const MonthlyBillingRun = Type.Object({
  organization_id: Uuid,
  period: Type.String({ description: 'A month, `YYYY-MM`.' }),
  invoice_id: Nullable(Uuid),
  trued_up_aud: Type.Number(),
  expired_credits: Count,
  granted_credits: Count,
  already_done: Type.Boolean(),
})

/** One comparison of the storage journal with the bytes in storage. */
export const StorageReconciliationRun = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
  journal_bytes: Type.Integer(),
  stored_bytes: Type.Integer(),
  drift_bytes: Type.Integer(),
  flagged: Type.Boolean({ description: 'The drift exceeds the threshold.' }),
})

/** A row that corrects the storage journal. */
export const StorageCorrection = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  asset_id: Nullable(Uuid),
  bytes_delta: Type.Integer(),
  reason: Type.String(),
  actor: Nullable(Type.String()),
  created_at: Timestamp,
})

/** An asset whose journalled bytes differ from its bytes in storage. */
export const StorageDrift = Type.Object({
  asset_id: Nullable(Uuid),
  object_path: Type.String(),
  journal_bytes: Type.Integer(),
  stored_bytes: Type.Integer(),
  kind: Type.Enum(['missing', 'stale', 'negative', 'drift']),
})

/** A billing task that has used up its retries. */
export const DeadLetter = Type.Object({
  id: Uuid,
  kind: Type.String(),
  organization_id: Nullable(Uuid),
  attempts: Count,
  last_error: Type.String(),
  created_at: Timestamp,
})

/** The forecast spending at the end of a month; without a billing role, that of the caller's projects. */
export const SpendingForecast = Type.Object({
  organization_id: Uuid,
  period: Type.String({ description: 'The current month, `YYYY-MM`, in UTC.' }),
  ends_at: WithDescription('When the month ends.', Timestamp),
  measured_at: Timestamp,
  spent_credits: WithDescription('Charged in this month so far, less what was given back.', Count),
  recent_days: Type.Number({
    minimum: 1,
    maximum: 30,
    description: 'The days on whose spending the estimate is based: 30, or the age of a younger organization.',
  }),
  credits_per_day: Type.Number({ minimum: 0, description: 'Spent per day in these days.' }),
  forecast_credits: WithDescription('The estimate for the whole month.', Count),
  forecast_aud: Type.Number({ minimum: 0, description: 'The same in AUD.' }),
})

export type Plan = Static<typeof Plan>
export type BillingStatus = Static<typeof BillingStatus>
export type TopupApproval = Static<typeof TopupApproval>
export type TopupRefund = Static<typeof TopupRefund>
export type Invoice = Static<typeof Invoice>

export const PositiveCredits = Type.Integer({ exclusiveMinimum: 0, maximum: 1_000_000_000 })

/** The input of a list of the newest rows. */
export const NewestRowsInput = StrictObject({ limit: WithDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 50) })

/** The fields of an organization in the lists of operators who bill it. */
export const billedOrganizationFields = { organization_id: Uuid, name: Type.String(), created_at: Timestamp }

/** Organizations for which the work of an operator failed. */
export const organizationFailureFields = {
  failures: Type.Array(Type.Object({ organization_id: Uuid, error: Type.String() })),
}
