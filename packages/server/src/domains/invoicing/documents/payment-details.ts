import type { BillingDocument, DocumentPayment } from './billing-document.ts'
import { formatDay, formatDollars, type LabelledValue } from './documents.ts'

/** The payment of a document, or instructions to pay it. */
export interface PaymentDetails {
  readonly title: string
  readonly values: readonly LabelledValue[]
}

/** Null if nothing is to be paid and the payment is unknown, and for play money that is owed. */
export function describePayment(document: BillingDocument): PaymentDetails | null {
  const { kind, status, payment, purpose } = document
  if (payment !== null) {
    const title = kind === 'credit_note' ? 'How it was refunded' : 'How it was paid'
    return { title, values: listPaymentValues(payment) }
  }
  const isOwed = kind === 'invoice' && (status === 'open' || status === 'uncollectible')
  return isOwed && purpose === 'billing' ? { title: 'How to pay', values: listTransferValues(document) } : null
}

const methodNames = { card: 'Card', bank_transfer: 'Bank transfer' } as const

function listPaymentValues({ method, card_brand, card_last4, reference }: DocumentPayment): LabelledValue[] {
  const card = [
    card_brand === null ? '' : formatBrand(card_brand),
    card_last4 === null ? '' : `ending in ${card_last4}`,
  ]
  return listKnown([
    ['Method', methodNames[method]],
    ['Card', card.join(' ').trim() || null],
    ['Reference', reference],
  ])
}

function listTransferValues({ number, due_at, seller, total_cents }: BillingDocument): LabelledValue[] {
  const { bank, email, payment_terms } = seller
  const account: readonly (readonly [string, string | null])[] = bank
    ? [
        ['Account name', bank.account_name],
        ['BSB', bank.bsb === null ? null : bank.bsb.replace(/^(\d{3})/, '$1-')],
        ['Account', bank.account],
        ['BIC', bank.bic],
        ['Bank', bank.bank_name],
      ]
    : [['Bank details', `on request${email === null ? '' : ` from ${email}`}`]]
  return listKnown([
    ...account,
    ['Reference', number],
    ['Amount', `${formatDollars(total_cents)} AUD`],
    ['Due', due_at === null ? null : formatDay(due_at)],
    ['Terms', payment_terms],
  ])
}

const listKnown = (values: readonly (readonly [string, string | null])[]): LabelledValue[] =>
  values.filter((value): value is LabelledValue => value[1] !== null)

/** `visa` and `american_express`, as processors write them. */
const formatBrand = (brand: string): string =>
  brand
    .split(/[_ ]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')
