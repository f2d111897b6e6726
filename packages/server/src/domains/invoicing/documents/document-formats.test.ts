import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOMParser, type Element, onErrorStopParsing } from '@xmldom/xmldom'
import { makeDocumentLine, makeInvoiceDocument } from '../../../../test/billing-documents.ts'
import type { BillingDocument } from './billing-document.ts'
import { formatBillingLinesCsv } from './document-formats.ts'
import { computeNetAmounts } from './net-amounts.ts'
import { writeUbl } from './ubl/write-ubl.ts'

/** Reads the texts of all elements with a local name. */
function parseUbl(document: BillingDocument) {
  const xml = new DOMParser({ onError: onErrorStopParsing }).parseFromString(writeUbl(document), 'text/xml')
  const root = xml.documentElement!
  const list = (name: string): Element[] => [...root.getElementsByTagNameNS('*', name)]
  const texts = (name: string): string[] => list(name).map((element) => element.textContent ?? '')
  return { root, list, texts, text: (name: string) => texts(name)[0] }
}

const card = { method: 'card', card_brand: 'visa', card_last4: '4242', reference: 'pi_1' } as const

const invoice = makeInvoiceDocument({
  number: 'IN-000123',
  period: '2026-02',
  due_at: '2026-03-31T00:00:00.000Z',
  lines: [
    makeDocumentLine({
      description: 'Photographs',
      scene_id: 'commercial:naip-1',
      order_id: 'order-1',
      amount_cents: 44_003,
    }),
    makeDocumentLine({ quantity: 3, unit: null, amount_cents: 1 }),
    makeDocumentLine({ amount_cents: 1 }),
  ],
  total_cents: 44_005,
  gst_cents: 4000,
})

test('an unpaid invoice as UBL follows PINT A-NZ, names the account, and its sums agree to the cent', () => {
  const { root, text, texts } = parseUbl(invoice)
  assert.equal(root.localName, 'Invoice')
  assert.equal(text('CustomizationID'), 'urn:peppol:pint:billing-1@aunz-1')
  assert.deepEqual([text('StartDate'), text('EndDate'), text('DueDate')], ['2026-02-01', '2026-02-28', '2026-03-31'])
  assert.deepEqual([text('PaymentMeansCode'), text('PaymentID')], ['30', 'IN-000123'])
  const [lineTotal, ...lines] = texts('LineExtensionAmount').map((amount) => Math.round(Number(amount) * 100))
  assert.equal(
    lines.reduce((sum, cents) => sum + cents, 0),
    lineTotal,
  )
  assert.deepEqual(
    [text('TaxExclusiveAmount'), text('TaxAmount'), text('PayableAmount')],
    ['400.05', '40.00', '440.05'],
  )
  assert.ok(texts('ID').includes('commercial:naip-1'))
  assert.ok(texts('Value').includes('order-1'))
})

test('the net price of a line times its quantity is its net amount', () => {
  const { texts, list } = parseUbl(invoice)
  const prices = texts('PriceAmount').map(Number)
  const quantities = texts('InvoicedQuantity').map(Number)
  const amounts = list('InvoiceLine').map((line) => line.getElementsByTagNameNS('*', 'LineExtensionAmount')[0]!)
  for (const [index, amount] of amounts.entries())
    assert.equal((prices[index]! * quantities[index]!).toFixed(2), amount.textContent)
})

test('a receipt of a card payment as UBL is a paid invoice with the last digits of the card', () => {
  const paid = makeInvoiceDocument({ kind: 'receipt', payment: card, status: 'paid' })
  const { text } = parseUbl(paid)
  assert.deepEqual([text('PrepaidAmount'), text('PayableAmount')], ['440.00', '0.00'])
  assert.deepEqual(
    [text('PaymentMeansCode'), text('PrimaryAccountNumberID'), text('NetworkID')],
    ['48', '4242', 'visa'],
  )
})

test('a credit note as UBL names the invoice that it corrects', () => {
  const note = makeInvoiceDocument({
    kind: 'credit_note',
    reference: 'IN-000123',
    reference_issued_at: invoice.issued_at,
  })
  const { root, text, list } = parseUbl(note)
  assert.deepEqual([root.localName, text('CreditNoteTypeCode')], ['CreditNote', '381'])
  assert.equal(list('InvoiceDocumentReference')[0]!.textContent, 'IN-0001232026-03-01')
})

test('a document of play money as UBL has no tax and no tax number, and states that it is play money', () => {
  const { seller } = invoice
  const play = { ...invoice, purpose: 'play_money', seller: { ...seller, abn: null }, gst_cents: null } as const
  const { text, texts, list } = parseUbl(play)
  assert.equal(text('CustomizationID'), 'urn:cen.eu:en16931:2017')
  assert.match(text('Note')!, /Play money: not a tax invoice/)
  assert.deepEqual([list('PartyTaxScheme').length, texts('TaxAmount')], [0, ['0.00', '0.00']])
})

test('a document with special characters is well-formed XML', () => {
  const name = 'A & B <c> "d" \u0007\ud800'
  const { texts } = parseUbl({ ...invoice, buyer: { ...invoice.buyer, name } })
  assert.ok(texts('RegistrationName').includes('A & B <c> "d" '))
})

test('the receipt of an invoice, and a document without the country of its buyer, have no UBL', () => {
  const receipt = makeInvoiceDocument({ kind: 'receipt', reference: 'IN-000123' })
  assert.throws(() => writeUbl(receipt), { problem: 'invalid-state' })
  assert.throws(() => writeUbl({ ...invoice, buyer: { ...invoice.buyer, country: null } }), {
    problem: 'invalid-state',
  })
})

test('net amounts add up to the net total, also where each line alone would be rounded away', () => {
  const lines = Array.from({ length: 7 }, () => makeDocumentLine({ amount_cents: 3 }))
  const { line_cents, total_cents, gst_cents } = computeNetAmounts({ ...invoice, lines, total_cents: 21, gst_cents: 2 })
  assert.deepEqual([total_cents, gst_cents], [19, 2])
  assert.equal(
    line_cents.reduce((sum, cents) => sum + cents, 0),
    19,
  )
})

test('the lines as CSV have the scene, the order, the tax code, and the amounts with and without tax', () => {
  const [head, first, ...others] = formatBillingLinesCsv(invoice).trim().split('\r\n')
  const row = Object.fromEntries(head!.split(',').map((name, index) => [name, first!.split(',')[index]]))
  assert.equal(others.length, 2)
  assert.deepEqual(
    [
      row['number'],
      row['scene_id'],
      row['order_id'],
      row['tax_code'],
      row['amount'],
      row['net_amount'],
      row['tax_amount'],
    ],
    ['IN-000123', 'commercial:naip-1', 'order-1', 'S', '440.03', '400.03', '40.00'],
  )
})
