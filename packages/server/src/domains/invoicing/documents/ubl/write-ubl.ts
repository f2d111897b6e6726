import { Problem } from '../../../../engine/problem.ts'
import { formatTitle, formatWarning, isPaymentReceipt } from '../documents.ts'
import type { BillingDocument } from '../billing-document.ts'
import { computeNetAmounts } from '../net-amounts.ts'
import { writeLine, writeTaxTotal, writeTotals } from './amounts.ts'
import { writeBuyer, writeSeller } from './parties.ts'
import { writePaymentMeans, writePaymentTerms } from './payment-means.ts'
import { selectProfile } from './profiles.ts'
import { element, optionalElement, serializeXml, type XmlElement } from './xml.ts'

const schema = 'urn:oasis:names:specification:ubl:schema:xsd:'

/** The codes of UN/CEFACT 1001. */
const typeCodes = { invoice: '380', receipt: '380', credit_note: '381' } as const

/**
 * Writes a document as UBL 2.1 that follows EN 16931, or PINT A-NZ if it has GST. The receipt of a payment by card is
 * an invoice that is paid. Throws `invalid-state` for the receipt of an invoice, which is not an invoice, and if the
 * country of the buyer is unknown.
 */
export function writeUbl(document: BillingDocument): string {
  if (isPaymentReceipt(document)) {
    throw new Problem('invalid-state', 'The receipt of an invoice is not an invoice: download the XML of the invoice.')
  }
  const { country } = document.buyer
  if (country === null) {
    throw new Problem('invalid-state', 'The document does not name the country of the buyer, so it has no XML.')
  }
  const isCredit = document.kind === 'credit_note'
  const name = isCredit ? 'CreditNote' : 'Invoice'
  const root = element(name, [...writeHead(document), ...writeBody(document, country)])
  return serializeXml(root, {
    '': `${schema}${name}-2`,
    cac: `${schema}CommonAggregateComponents-2`,
    cbc: `${schema}CommonBasicComponents-2`,
  })
}

const toDate = (time: string): string => time.slice(0, 10)

function writeHead(document: BillingDocument): (XmlElement | null)[] {
  const { kind, number, issued_at, due_at, buyer, reference, reference_issued_at } = document
  const { customization, process } = selectProfile(document)
  const isCredit = kind === 'credit_note'
  const note = [formatTitle(document), formatWarning(document), ...document.notes]
    .filter((text) => text !== null)
    .join(' – ')
  const order = buyer.purchase_order_number
  return [
    element('cbc:CustomizationID', customization),
    optionalElement('cbc:ProfileID', process),
    element('cbc:ID', number),
    element('cbc:IssueDate', toDate(issued_at)),
    isCredit ? null : optionalElement('cbc:DueDate', due_at && toDate(due_at)),
    element(isCredit ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode', typeCodes[kind]),
    element('cbc:Note', note),
    element('cbc:DocumentCurrencyCode', 'AUD'),
    // PINT A-NZ requires a reference of the buyer: without a purchase order it is who buys.
    order === null ? element('cbc:BuyerReference', buyer.name) : null,
    writePeriod(document),
    order === null ? null : element('cac:OrderReference', [element('cbc:ID', order)]),
    isCredit && reference !== null ? writeBillingReference(reference, reference_issued_at) : null,
  ]
}

/** The month of an invoice as its first and last day. */
function writePeriod({ period }: BillingDocument): XmlElement | null {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(period ?? '') ?? []
  if (year === undefined || month === undefined) return null
  const end = new Date(Date.UTC(Number(year), Number(month), 0)).toISOString()
  return element('cac:InvoicePeriod', [
    element('cbc:StartDate', `${year}-${month}-01`),
    element('cbc:EndDate', toDate(end)),
  ])
}

const writeBillingReference = (number: string, issued_at: string | null): XmlElement =>
  element('cac:BillingReference', [
    element('cac:InvoiceDocumentReference', [
      element('cbc:ID', number),
      optionalElement('cbc:IssueDate', issued_at && toDate(issued_at)),
    ]),
  ])

function writeBody(document: BillingDocument, country: string): (XmlElement | null)[] {
  const profile = selectProfile(document)
  const net = computeNetAmounts(document)
  return [
    writeSeller(document, profile),
    writeBuyer(document, country, profile),
    writePaymentMeans(document),
    writePaymentTerms(document),
    writeTaxTotal(document, net, profile),
    writeTotals(document, net),
    ...document.lines.map((_, index) => writeLine(document, { index, net_cents: net.line_cents[index]!, profile })),
  ]
}
