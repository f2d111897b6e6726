import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { Invoice, NewestRowsInput } from '../schemas/billing.ts'
import { Uuid, StrictObject, WithDefault } from '../schemas/primitives.ts'
import { BytesBody } from '../schemas/response-bodies.ts'

const invoiceFields = { invoice_id: Uuid }

export const billingInvoicesListOperation = operation({
  id: 'billing.invoices.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the invoices, receipts and credit notes of the platform, newest first.',
  input: NewestRowsInput,
  output: ListEnvelope('invoices', Invoice),
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
  output: BytesBody(['application/pdf', 'application/xml', 'text/csv']),
  response_kind: 'bytes',
  problems: ['not-found', 'invalid-state'],
  extension: true,
})
