import type { BillingDocument, DocumentLine } from '../src/domains/invoicing/documents/documents.ts'

/** A line of an invoice; defaults fill what is not overridden. */
export const makeDocumentLine = (overrides: Partial<DocumentLine> = {}): DocumentLine => ({
  description: 'Photographs, standard licence',
  quantity: '125.7143',
  unit: 'km2',
  unit_price_cents: '350',
  amount_cents: 44_000,
  order_id: null,
  ...overrides,
})

/** An open invoice of 440 AUD, GST included. */
export const makeInvoiceDocument = (overrides: Partial<BillingDocument> = {}): BillingDocument => ({
  kind: 'invoice',
  number: 'INV-2026-000123',
  issued_at: '2026-03-01T00:00:00.000Z',
  due_at: null,
  paid_at: null,
  status: 'open',
  seller: { name: 'Swath Imagery Pty Ltd', abn: '51824753556', address: ['120 Collins Street', 'Melbourne VIC 3000'] },
  buyer: {
    name: 'Hunter Valley Geospatial Pty Ltd',
    abn: '53004085616',
    tax_number: null,
    email: 'accounts@hunter.example',
    address: ['22 Bolton Street', 'Newcastle NSW 2300'],
  },
  period: null,
  lines: [makeDocumentLine()],
  total_cents: 44_000,
  gst_cents: 4000,
  reference: null,
  notes: [],
  ...overrides,
})
