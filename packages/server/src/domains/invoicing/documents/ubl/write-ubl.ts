import { Problem } from '../../../../engine/problem.ts'
import { formatDocumentDay, formatDocumentTitle, formatDocumentWarning, isPaymentReceipt } from '../documents.ts'
import type { BillingDocument, DocumentPayment } from '../billing-document.ts'
import { computeNetAmounts } from '../net-amounts.ts'
import { writeUblLine, writeUblTaxTotal, writeUblTotals } from './amounts.ts'
import {
  type ElectronicInvoiceProfile,
  findPeppolElectronicAddress,
  selectInvoiceProfile,
  formatTaxRegistration,
} from './profiles.ts'
import { type XmlElement, createXmlElement, createOptionalXmlElement, serializeXml } from './xml.ts'
import { toCountryCode } from '../countries.ts'
import { findDocumentTax } from '../tax-category.ts'

/** The seller. Without a number, as in documents of play money, it is identified by its name. */
function writeSeller(document: BillingDocument, profile: ElectronicInvoiceProfile): XmlElement {
  const { seller } = document
  const identification =
    seller.abn === null ? createXmlElement('cac:PartyIdentification', [createXmlElement('cbc:ID', seller.name)]) : null
  return createXmlElement('cac:AccountingSupplierParty', [
    createXmlElement('cac:Party', [
      writeEndpoint(seller),
      identification,
      createXmlElement('cac:PartyName', [createXmlElement('cbc:Name', seller.name)]),
      writeAddress(seller.address, 'AU'),
      writeTaxScheme(formatTaxRegistration(document, findDocumentTax(document), profile), profile),
      writeLegalEntity(seller),
      writeContact(seller.email),
    ]),
  ])
}

function writeBuyer({ buyer }: BillingDocument, country: string, profile: ElectronicInvoiceProfile): XmlElement {
  return createXmlElement('cac:AccountingCustomerParty', [
    createXmlElement('cac:Party', [
      writeEndpoint(buyer),
      createXmlElement('cac:PartyName', [createXmlElement('cbc:Name', buyer.name)]),
      writeAddress(
        buyer.address.filter((line) => toCountryCode(line) !== country),
        country,
      ),
      writeTaxScheme(profile.tax_scheme === 'GST' ? buyer.abn : null, profile),
      writeLegalEntity(buyer),
      writeContact(buyer.email),
    ]),
  ])
}

function writeEndpoint(party: BillingDocument['buyer'] | BillingDocument['seller']): XmlElement | null {
  const address = findPeppolElectronicAddress(party)
  return address === null ? null : createXmlElement('cbc:EndpointID', address.value, { schemeID: address.scheme })
}

/** The lines of an address without its country. */
function writeAddress(lines: readonly string[], country: string): XmlElement {
  const [line1 = null, line2 = null, ...others] = lines
  const rest = others.join(', ')
  return createXmlElement('cac:PostalAddress', [
    createOptionalXmlElement('cbc:StreetName', line1),
    createOptionalXmlElement('cbc:AdditionalStreetName', line2),
    rest === '' ? null : createXmlElement('cac:AddressLine', [createXmlElement('cbc:Line', rest)]),
    createXmlElement('cac:Country', [createXmlElement('cbc:IdentificationCode', country)]),
  ])
}

const writeTaxScheme = (number: string | null, { tax_scheme }: ElectronicInvoiceProfile): XmlElement | null =>
  number === null
    ? null
    : createXmlElement('cac:PartyTaxScheme', [
        createXmlElement('cbc:CompanyID', number),
        createXmlElement('cac:TaxScheme', [createXmlElement('cbc:ID', tax_scheme)]),
      ])

const writeLegalEntity = ({ name, abn }: { readonly name: string; readonly abn: string | null }): XmlElement =>
  createXmlElement('cac:PartyLegalEntity', [
    createXmlElement('cbc:RegistrationName', name),
    abn === null ? null : createXmlElement('cbc:CompanyID', abn, { schemeID: '0151' }),
  ])

const writeContact = (email: string | null): XmlElement | null =>
  email === null ? null : createXmlElement('cac:Contact', [createXmlElement('cbc:ElectronicMail', email)])

/** Codes of UN/CEFACT 4461. */
const meansCodes = { credit_transfer: '30', bank_card: '48' } as const

/** The payment means of a document: the account of the seller, or the card. Null if neither is stored. */
function writePaymentMeans(document: BillingDocument): XmlElement | null {
  const { kind, payment } = document
  if (kind === 'invoice') return writeBankAccount(document)
  return payment?.method === 'card' && payment.card_last4 !== null ? writeCard(payment, payment.card_last4) : null
}

function writeBankAccount({ seller: { bank }, number }: BillingDocument): XmlElement | null {
  if (bank === null) return null
  const branch = bank.bsb ?? bank.bic
  return createXmlElement('cac:PaymentMeans', [
    createXmlElement('cbc:PaymentMeansCode', meansCodes.credit_transfer),
    createXmlElement('cbc:PaymentID', number),
    createXmlElement('cac:PayeeFinancialAccount', [
      createXmlElement('cbc:ID', bank.account.replaceAll(/\s/g, '')),
      createXmlElement('cbc:Name', bank.account_name),
      branch === null ? null : createXmlElement('cac:FinancialInstitutionBranch', [createXmlElement('cbc:ID', branch)]),
    ]),
  ])
}

const writeCard = ({ card_brand, reference }: DocumentPayment, card_last4: string): XmlElement =>
  createXmlElement('cac:PaymentMeans', [
    createXmlElement('cbc:PaymentMeansCode', meansCodes.bank_card),
    createOptionalXmlElement('cbc:PaymentID', reference),
    createXmlElement('cac:CardAccount', [
      createXmlElement('cbc:PrimaryAccountNumberID', card_last4),
      createXmlElement('cbc:NetworkID', card_brand ?? 'card'),
    ]),
  ])

/** EN 16931 requires terms where something remains to be paid. */
function writePaymentTerms({ kind, due_at, payment, seller }: BillingDocument): XmlElement | null {
  if (payment !== null && kind !== 'invoice') return null
  if (kind === 'credit_note') return writeTerms('Reduces what is owed for the corrected document.')
  const due = due_at === null ? 'Due on receipt.' : `Due by ${formatDocumentDay(due_at)}.`
  return writeTerms(seller.payment_terms === null ? due : `${due} ${seller.payment_terms}`)
}

const writeTerms = (text: string): XmlElement =>
  createXmlElement('cac:PaymentTerms', [createXmlElement('cbc:Note', text)])

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
  const root = createXmlElement(name, [...writeHead(document), ...writeBody(document, country)])
  return serializeXml(root, {
    '': `${schema}${name}-2`,
    cac: `${schema}CommonAggregateComponents-2`,
    cbc: `${schema}CommonBasicComponents-2`,
  })
}

const toDate = (time: string): string => time.slice(0, 10)

function writeHead(document: BillingDocument): (XmlElement | null)[] {
  const { kind, number, issued_at, due_at, buyer, reference, reference_issued_at } = document
  const { customization, process } = selectInvoiceProfile(document)
  const isCredit = kind === 'credit_note'
  const note = [formatDocumentTitle(document), formatDocumentWarning(document), ...document.notes]
    .filter((text) => text !== null)
    .join(' – ')
  const order = buyer.purchase_order_number
  return [
    createXmlElement('cbc:CustomizationID', customization),
    createOptionalXmlElement('cbc:ProfileID', process),
    createXmlElement('cbc:ID', number),
    createXmlElement('cbc:IssueDate', toDate(issued_at)),
    isCredit ? null : createOptionalXmlElement('cbc:DueDate', due_at && toDate(due_at)),
    createXmlElement(isCredit ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode', typeCodes[kind]),
    createXmlElement('cbc:Note', note),
    createXmlElement('cbc:DocumentCurrencyCode', 'AUD'),
    // PINT A-NZ requires a reference of the buyer: without a purchase order it is who buys.
    order === null ? createXmlElement('cbc:BuyerReference', buyer.name) : null,
    writePeriod(document),
    order === null ? null : createXmlElement('cac:OrderReference', [createXmlElement('cbc:ID', order)]),
    isCredit && reference !== null ? writeBillingReference(reference, reference_issued_at) : null,
  ]
}

/** The month of an invoice as its first and last day. */
function writePeriod({ period }: BillingDocument): XmlElement | null {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(period ?? '') ?? []
  if (year === undefined || month === undefined) return null
  const end = new Date(Date.UTC(Number(year), Number(month), 0)).toISOString()
  return createXmlElement('cac:InvoicePeriod', [
    createXmlElement('cbc:StartDate', `${year}-${month}-01`),
    createXmlElement('cbc:EndDate', toDate(end)),
  ])
}

const writeBillingReference = (number: string, issued_at: string | null): XmlElement =>
  createXmlElement('cac:BillingReference', [
    createXmlElement('cac:InvoiceDocumentReference', [
      createXmlElement('cbc:ID', number),
      createOptionalXmlElement('cbc:IssueDate', issued_at && toDate(issued_at)),
    ]),
  ])

function writeBody(document: BillingDocument, country: string): (XmlElement | null)[] {
  const profile = selectInvoiceProfile(document)
  const net = computeNetAmounts(document)
  return [
    writeSeller(document, profile),
    writeBuyer(document, country, profile),
    writePaymentMeans(document),
    writePaymentTerms(document),
    writeUblTaxTotal(document, net, profile),
    writeUblTotals(document, net),
    ...document.lines.map((_, index) => writeUblLine(document, { index, net_cents: net.line_cents[index]!, profile })),
  ]
}
