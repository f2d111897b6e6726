import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatAbn,
  formatBuyerLines,
  formatDocumentDay,
  formatDecimal,
  formatDollars,
  listBillingDocumentDetails,
  formatDocumentHeadline,
  formatUnitPrice,
  formatQuantity,
  formatDocumentSubtitle,
  formatDocumentTitle,
  listDocumentTotals,
} from './documents.ts'
import type { BillingDocument } from './billing-document.ts'
import { makeInvoiceDocument, makeDocumentLine } from '../../../../test/billing-documents.ts'

const factsByLabel = (document: BillingDocument) => Object.fromEntries(listBillingDocumentDetails(document))

test('a document is a tax invoice if its seller has an ABN and its total includes GST', () => {
  const table: readonly (readonly [Partial<BillingDocument>, title: string, subtitle: string | null])[] = [
    [{}, 'Tax invoice', null],
    [{ gst_cents: null }, 'Invoice', null],
    [{ seller: { ...makeInvoiceDocument().seller, abn: null } }, 'Invoice', null],
    [{ kind: 'receipt' }, 'Tax invoice and receipt', null],
    [{ kind: 'receipt', reference: 'INV-1' }, 'Receipt', null],
    [{ kind: 'receipt', gst_cents: null }, 'Receipt', null],
    [{ kind: 'credit_note' }, 'Credit note', 'Adjustment note for GST'],
    [{ kind: 'credit_note', gst_cents: null }, 'Credit note', null],
  ]
  for (const [overrides, title, subtitle] of table) {
    const document = makeInvoiceDocument(overrides)
    assert.deepEqual(
      [formatDocumentTitle(document), formatDocumentSubtitle(document)],
      [title, subtitle],
      JSON.stringify(overrides),
    )
  }
})

test('lists only the facts that a document has', () => {
  assert.deepEqual(factsByLabel(makeInvoiceDocument({ due_at: '2026-03-31T00:00:00.000Z', period: '2026-02' })), {
    Number: 'INV-2026-000123',
    'Date of issue': '1 March 2026',
    Period: 'February 2026',
    Due: '31 March 2026',
    Status: 'Open',
  })
  assert.deepEqual(
    factsByLabel(makeInvoiceDocument({ kind: 'credit_note', number: 'CN-1', reference: 'INV-1', status: 'paid' })),
    {
      Number: 'CN-1',
      'Date of issue': '1 March 2026',
      'Corrects tax invoice': 'INV-1',
    },
  )
  assert.equal(factsByLabel(makeInvoiceDocument({ period: 'July to September' }))['Period'], 'July to September')
  assert.equal(factsByLabel(makeInvoiceDocument({ kind: 'receipt', reference: 'INV-1' }))['Payment of'], 'INV-1')
})

test('the headline has the total and the payment status', () => {
  const paid_at = '2026-03-04T23:59:00.000Z'
  const table: readonly (readonly [Partial<BillingDocument>, string])[] = [
    [{ due_at: '2026-03-31T00:00:00.000Z' }, 'due by 31 March 2026'],
    [{}, 'due'],
    [{ status: 'paid', paid_at }, 'paid on 4 March 2026'],
    [{ status: 'paid' }, 'paid'],
    [{ status: 'void', due_at: '2026-03-31T00:00:00.000Z' }, 'Void, nothing to be paid'],
    [{ status: 'draft' }, 'Draft, not to be paid'],
    [{ status: 'uncollectible' }, 'Written off'],
    [{ kind: 'receipt', status: 'paid', paid_at }, 'received on 4 March 2026'],
    [{ kind: 'credit_note' }, 'credited on 1 March 2026'],
  ]
  for (const [overrides, sentence] of table)
    assert.deepEqual(
      formatDocumentHeadline(makeInvoiceDocument(overrides)),
      { amount: '$440.00', sentence },
      JSON.stringify(overrides),
    )
})

test('the totals list the GST and end with the total', () => {
  assert.deepEqual(listDocumentTotals(makeInvoiceDocument()), [
    ['Total without GST', '$400.00'],
    ['GST (10%)', '$40.00'],
    ['Total (AUD)', '$440.00'],
  ])
  assert.deepEqual(listDocumentTotals(makeInvoiceDocument({ gst_cents: null, kind: 'credit_note' })), [
    ['Total credited (AUD)', '$440.00'],
  ])
})

test('formats amounts, decimals, dates and ABNs', () => {
  assert.deepEqual([0, 5, -5, 123_456, -100_000_00, 9_007_199_254_740_991].map(formatDollars), [
    '$0.00',
    '$0.05',
    '-$0.05',
    '$1,234.56',
    '-$100,000.00',
    '$90,071,992,547,409.91',
  ])
  assert.deepEqual(
    ['1234567.8900', 0.1, '-1000', '0', 1e21].map((value) => formatDecimal(value)),
    ['1,234,567.89', '0.1', '-1,000', '0', '1,000,000,000,000,000,000,000'],
  )
  assert.deepEqual(
    ['350', '212.5', 0.125, -5, null].map((unit_price_cents) =>
      formatUnitPrice(makeDocumentLine({ unit_price_cents })),
    ),
    ['$3.50', '$2.125', '$0.00125', '-$0.05', ''],
  )
  assert.equal(formatQuantity(makeDocumentLine({ quantity: '1234.50', unit: 'km2' })), '1,234.5 km²')
  assert.equal(formatQuantity(makeDocumentLine({ quantity: 1, unit: null })), '1')
  assert.equal(formatDocumentDay('2026-12-31T23:59:59.999Z'), '31 December 2026')
  assert.equal(formatAbn('51824753556'), 'ABN 51 824 753 556')
  assert.equal(formatAbn('51 824 753 556'), 'ABN 51 824 753 556')
  assert.equal(formatAbn('123'), 'ABN 123')
})

test('the buyer lines include its ABN and tax number', () => {
  const { buyer } = makeInvoiceDocument()
  assert.deepEqual(formatBuyerLines({ ...buyer, abn: null, tax_number: 'DE811128135' }), [
    ...buyer.address,
    'Tax number DE811128135',
    'accounts@hunter.example',
  ])
  assert.ok(formatBuyerLines(buyer).includes('ABN 53 004 085 616'))
})
