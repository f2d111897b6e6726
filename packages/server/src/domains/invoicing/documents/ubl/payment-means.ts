import { formatDay } from '../documents.ts'
import type { BillingDocument, DocumentPayment } from '../billing-document.ts'
import { element, optionalElement, type XmlElement } from './xml.ts'

/** Codes of UN/CEFACT 4461. */
const meansCodes = { credit_transfer: '30', bank_card: '48' } as const

/** The payment means of a document: the account of the seller, or the card. Null if neither is stored. */
export function writePaymentMeans(document: BillingDocument): XmlElement | null {
  const { kind, payment } = document
  if (kind === 'invoice') return writeBankAccount(document)
  return payment?.method === 'card' && payment.card_last4 !== null ? writeCard(payment, payment.card_last4) : null
}

function writeBankAccount({ seller: { bank }, number }: BillingDocument): XmlElement | null {
  if (bank === null) return null
  const branch = bank.bsb ?? bank.bic
  return element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', meansCodes.credit_transfer),
    element('cbc:PaymentID', number),
    element('cac:PayeeFinancialAccount', [
      element('cbc:ID', bank.account.replaceAll(/\s/g, '')),
      element('cbc:Name', bank.account_name),
      branch === null ? null : element('cac:FinancialInstitutionBranch', [element('cbc:ID', branch)]),
    ]),
  ])
}

const writeCard = ({ card_brand, reference }: DocumentPayment, card_last4: string): XmlElement =>
  element('cac:PaymentMeans', [
    element('cbc:PaymentMeansCode', meansCodes.bank_card),
    optionalElement('cbc:PaymentID', reference),
    element('cac:CardAccount', [
      element('cbc:PrimaryAccountNumberID', card_last4),
      element('cbc:NetworkID', card_brand ?? 'card'),
    ]),
  ])

/** EN 16931 requires terms where something remains to be paid. */
export function writePaymentTerms({ kind, due_at, payment, seller }: BillingDocument): XmlElement | null {
  if (payment !== null && kind !== 'invoice') return null
  if (kind === 'credit_note') return writeTerms('Reduces what is owed for the corrected document.')
  const due = due_at === null ? 'Due on receipt.' : `Due by ${formatDay(due_at)}.`
  return writeTerms(seller.payment_terms === null ? due : `${due} ${seller.payment_terms}`)
}

const writeTerms = (text: string): XmlElement => element('cac:PaymentTerms', [element('cbc:Note', text)])
