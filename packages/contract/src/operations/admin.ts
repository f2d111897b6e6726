import Type from 'typebox'
import { featureFlagNames } from '../feature-flags.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { nextTokenPaging } from '../paging.ts'
import { Invoice } from '../schemas/billing.ts'
import { AuditEntry, auditTrailFilterFields } from '../schemas/event.ts'
import { OrganizationName } from '../schemas/operators/operator-decisions.ts'
import {
  Uuid,
  StrictObject,
  OptionalNullable,
  OptionalOperatorReason,
  WithDescription,
  Nullable,
  Timestamp,
  WithDefault,
  OperatorReason,
  EmptyInput,
  ClearIfNull,
  KeepIfNull,
} from '../schemas/primitives.ts'
import { createSpendFields, WithDryRun } from '../schemas/spend.ts'

const invoiceIds = { organization_id: Uuid, invoice_id: Uuid }

export const adminInvoicesMarkPaidOperation = operation({
  id: 'admin.invoices.mark_paid',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Mark an invoice as paid and issue its receipt; repeating it has no effect.',
  input: StrictObject({
    ...invoiceIds,
    payment_reference: WithDescription(
      'The reference of the bank transfer, which the receipt names.',
      OptionalNullable(Type.String({ minLength: 1, maxLength: 140 })),
    ),
    reason: OptionalOperatorReason,
  }),
  output: Type.Object({ invoice: Invoice }),
  problems: ['not-found', 'invalid-state'],
  emits: ['invoice.paid'],
  extension: true,
})

export const adminInvoicesCreditOperation = operation({
  id: 'admin.invoices.credit',
  scope: 'admin:write',
  effect: 'spend',
  summary:
    'Issue a credit note for an invoice, in full or in part; an open invoice that is fully credited becomes void.',
  input: StrictObject({
    ...invoiceIds,
    amount_aud: OptionalNullable(
      Type.Number({
        minimum: 0.01,
        maximum: 1_000_000_000,
        description: 'AUD, with at most two decimal places; defaults to the amount not yet credited.',
      }),
    ),
    reason: Type.String({
      minLength: 1,
      maxLength: limits.max_name_length,
      description: 'Printed on the credit note.',
    }),
    ...createSpendFields(
      'Refuse the call with `spend-limit-exceeded` if it would credit more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(Type.Object({ credit_note: Invoice, invoice: Invoice })),
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['invoice.credited'],
  idempotent: true,
  extension: true,
})

export const adminAuditListOperation = operation({
  id: 'admin.audit.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the write calls in an organization, or those of operators that belong to none, newest first.',
  input: StrictObject({
    organization_id: Type.Optional(
      Nullable(Uuid, { description: 'Null or absent: the calls that belong to no organization.' }),
    ),
    ...auditTrailFilterFields,
    ...nextTokenPaging(),
  }),
  output: Type.Object({
    entries: Type.Array(AuditEntry),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  extension: true,
})

const DeadTask = Type.Object({
  id: Uuid,
  source: Type.Enum(['queue', 'billing'], { description: 'Where the task was given up.' }),
  task: Type.String({ description: 'The kind of task, such as `orders.fulfil`.' }),
  organization_id: Nullable(Uuid),
  organization_name: OrganizationName,
  subject: Nullable(Type.String(), { description: 'What the task was about, such as an order: its id.' }),
  error: Type.String({ description: 'The error of the last attempt.' }),
  failed_at: Timestamp,
})

export const adminDeadLettersListOperation = operation({
  id: 'admin.dead_letters.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List background tasks that have used up their attempts, newest first.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    limit: WithDefault(Type.Integer({ minimum: 1, maximum: 200 }), 200),
  }),
  output: Type.Object({ dead_letters: Type.Array(DeadTask) }),
  extension: true,
})

export const adminDeadLettersRetryOperation = operation({
  id: 'admin.dead_letters.retry',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Give a dead background task all its attempts again.',
  input: StrictObject({ dead_letter_id: Uuid, reason: OperatorReason }),
  output: Type.Object({ id: Uuid, retried: Type.Boolean() }),
  problems: ['not-found'],
  extension: true,
})

const FlagName = WithDescription('A row of the table of feature flags.', Type.Enum(featureFlagNames))

const Percent = Type.Integer({ minimum: 0, maximum: 100 })

const FeatureFlag = Type.Object({
  flag: FlagName,
  owner: Type.String({ description: 'The module that it belongs to.' }),
  description: Type.String(),
  percent: WithDescription('The share of organizations that have the feature, beside those that are listed.', Percent),
  default_percent: WithDescription('The share if no operator has set another one.', Percent),
  updated_at: Nullable(Timestamp, { description: 'When an operator set the share; null if none has.' }),
  organizations: Type.Array(
    Type.Object({
      organization_id: Uuid,
      organization_name: OrganizationName,
      enabled: Type.Boolean(),
      updated_at: Timestamp,
    }),
    {
      description: 'Organizations that have the feature, or do not, whatever the share is.',
    },
  ),
})

export const adminFeatureFlagsListOperation = operation({
  id: 'admin.feature_flags.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the feature flags with the organizations that have the feature.',
  input: EmptyInput,
  output: Type.Object({ feature_flags: Type.Array(FeatureFlag) }),
  extension: true,
})

export const adminFeatureFlagsSetOperation = operation({
  id: 'admin.feature_flags.set',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Set the share of organizations that have a feature, or switch it for one organization.',
  input: StrictObject({
    flag: FlagName,
    percent: KeepIfNull(
      WithDescription(
        'The share of organizations; each has the feature or not by its id, so that a larger share keeps them.',
        Percent,
      ),
    ),
    organization_id: WithDescription(
      'The organization that `enabled` is about. Null: no organization is switched.',
      OptionalNullable(Uuid),
    ),
    enabled: ClearIfNull(
      Type.Boolean({ description: 'Whether the organization has the feature.' }),
      'Null: the share decides for it again.',
    ),
    reason: OperatorReason,
  }),
  output: FeatureFlag,
  problems: ['not-found'],
  extension: true,
})
