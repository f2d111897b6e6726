import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Invoice } from '../shapes/billing.ts'
import { Input, Maybe, Uuid } from '../shapes/primitives.ts'

const one = { organization_id: Uuid, invoice_id: Uuid }

export const adminInvoicesMarkPaid = operation({
  id: 'admin.invoices.mark_paid',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Note that an invoice was paid, and issue the receipt; twice is once.',
  input: Input(one),
  output: Type.Object({ invoice: Invoice }),
  problems: ['not-found', 'invalid-state'],
  emits: ['invoice.paid'],
  extension: true,
  answered: true,
})

export const adminInvoicesCredit = operation({
  id: 'admin.invoices.credit',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Give an invoice back by a credit note, whole or in part; an open one that nothing is left of is void.',
  input: Input({
    ...one,
    amount_aud: Maybe(
      Type.Number({
        minimum: 0.01,
        maximum: 1_000_000_000,
        description: 'In whole cents; without it all that is left.',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: limits.name_length, description: 'Stands on the credit note.' }),
  }),
  output: Type.Object({ credit_note: Invoice, invoice: Invoice }),
  problems: ['not-found', 'invalid-state'],
  emits: ['invoice.credited'],
  idempotent: true,
  extension: true,
  answered: true,
})
