import type { BillingDocument, DocumentLine } from '../src/domains/invoicing/documents/billing-document.ts'

/** A line of an invoice; members that are not overridden have defaults. */
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
  purpose: 'billing',
  number: 'INV-2026-000123',
  issued_at: '2026-03-01T00:00:00.000Z',
  due_at: null,
  paid_at: null,
  status: 'open',
  seller: {
    name: 'Swath Imagery Pty Ltd',
    abn: '51824753556',
    address: ['120 Collins Street', 'Melbourne VIC 3000'],
    email: 'accounts@swath.example',
    bank: { account_name: 'Swath Imagery', bsb: '062000', account: '12345678', bic: null, bank_name: 'Test Bank' },
    payment_terms: 'Interest of 8% a year on late payments',
  },
  buyer: {
    name: 'Hunter Valley Geospatial Pty Ltd',
    abn: '53004085616',
    tax_number: null,
    email: 'accounts@hunter.example',
    address: ['22 Bolton Street', 'Newcastle NSW 2300'],
    country: 'AU',
    purchase_order_number: null,
  },
  period: null,
  lines: [makeDocumentLine()],
  total_cents: 44_000,
  gst_cents: 4000,
  payment: null,
  reference: null,
  reference_issued_at: null,
  notes: [],
  ...overrides,
})
