import { renderBillingDocumentPdf } from './print-document.ts'
import { writeUbl } from './ubl/write-ubl.ts'
import type { BillingDocument, DocumentLine } from './billing-document.ts'
import { formatCsvRow } from '../../../engine/csv.ts'
import { computeNetAmounts } from './net-amounts.ts'
import { formatExactDecimal } from './exact-decimal.ts'
import { findDocumentTax } from './tax-category.ts'

interface NumberedLine {
  readonly document: BillingDocument
  readonly line: DocumentLine
  readonly index: number
  readonly net_cents: number
}

/** The columns in order, with what a line has in each. Amounts of a credit note are positive. */
const columns: Readonly<Record<string, (row: NumberedLine) => string | number | null>> = {
  number: ({ document }) => document.number,
  kind: ({ document }) => document.kind,
  purpose: ({ document }) => document.purpose,
  issued_at: ({ document }) => document.issued_at,
  period: ({ document }) => document.period,
  purchase_order_number: ({ document }) => document.buyer.purchase_order_number,
  line: ({ index }) => index + 1,
  description: ({ line }) => line.description,
  scene_id: ({ line }) => line.scene_id ?? null,
  order_id: ({ line }) => line.order_id,
  quantity: ({ line }) => String(line.quantity),
  unit: ({ line }) => line.unit,
  unit_price: ({ line }) => (line.unit_price_cents === null ? null : formatExactDecimal(line.unit_price_cents, 2)),
  amount: ({ line }) => formatExactDecimal(line.amount_cents, 2),
  tax_code: ({ document }) => findDocumentTax(document).code,
  tax_percent: ({ document }) => findDocumentTax(document).percent,
  net_amount: ({ net_cents }) => formatExactDecimal(net_cents, 2),
  tax_amount: ({ line, net_cents }) => formatExactDecimal(line.amount_cents - net_cents, 2),
  currency: () => 'AUD',
}

/** The lines of a document as CSV with a heading: amounts in AUD; `amount` and `unit_price` include the tax. */
export function formatBillingLinesCsv(document: BillingDocument): string {
  const { line_cents } = computeNetAmounts(document)
  const rows = document.lines.map((line, index) => {
    const row = { document, line, index, net_cents: line_cents[index]! }
    return formatCsvRow(Object.values(columns).map((read) => read(row)))
  })
  return [formatCsvRow(Object.keys(columns)), ...rows].join('')
}

interface DocumentFormat {
  readonly media_type: string
  readonly extension: string
  readonly write: (document: BillingDocument) => Promise<Uint8Array> | Uint8Array
}

/** The forms of a document: for people, for accounting software, and its lines for spreadsheets. */
export const billingDocumentFormats = {
  pdf: { media_type: 'application/pdf', extension: 'pdf', write: renderBillingDocumentPdf },
  xml: { media_type: 'application/xml', extension: 'xml', write: (document) => Buffer.from(writeUbl(document)) },
  csv: { media_type: 'text/csv', extension: 'csv', write: (document) => Buffer.from(formatBillingLinesCsv(document)) },
} as const satisfies Readonly<Record<string, DocumentFormat>>
