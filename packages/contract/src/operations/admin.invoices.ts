import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Invoice } from '../schemas/billing.ts'
import { StrictObject, OptionalNullable, OptionalOperatorReason, Uuid, WithDescription } from '../schemas/primitives.ts'
import { spendFieldsWith, WithDryRun } from '../schemas/spend.ts'

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
  implemented: true,
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
    ...spendFieldsWith(
      'Refuse the call with `spend-limit-exceeded` if it would credit more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(Type.Object({ credit_note: Invoice, invoice: Invoice })),
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['invoice.credited'],
  idempotent: true,
  extension: true,
  implemented: true,
})
