import { readDecimal } from '../rounding.ts'

/**
 * An invoice, receipt or credit note as a plain value, which is printed and stored as JSON. Amounts are Australian cents
 * including tax; a credit note has positive amounts. Times are RFC 3339 in UTC.
 */
export interface BillingDocument {
  readonly kind: 'invoice' | 'receipt' | 'credit_note'
  readonly number: string
  readonly issued_at: string
  readonly due_at: string | null
  readonly paid_at: string | null
  /** A state of invoices: `draft`, `open`, `paid`, `uncollectible`, `void`. */
  readonly status: string
  readonly seller: Seller
  readonly buyer: Buyer
  /** A month, `YYYY-MM`, or other text. */
  readonly period: string | null
  readonly lines: readonly DocumentLine[]
  readonly total_cents: number
  /** The GST included in the total; null if none applies. */
  readonly gst_cents: number | null
  /** The number of the document that a credit note corrects or a receipt pays. */
  readonly reference: string | null
  readonly notes: readonly string[]
}

export interface Seller {
  readonly name: string
  readonly abn: string | null
  readonly address: readonly string[]
}

export interface Buyer extends Seller {
  readonly tax_number: string | null
  readonly email: string | null
}

export interface DocumentLine {
  readonly description: string
  /** Decimal text, or the decimal that a number prints as, like the unit price, which may have fractions of a cent. */
  readonly quantity: string | number
  readonly unit: string | null
  readonly unit_price_cents: string | number | null
  readonly amount_cents: number
  readonly order_id: string | null
}

interface Kind {
  readonly title: string
  /** The title if the document is a tax invoice under Australian law. */
  readonly taxed: string
  readonly reference: string
  readonly total: string
  readonly buyer: string
}

/** The Australian Taxation Office requires a credit note with tax to be called an adjustment note. */
const kinds: Readonly<Record<BillingDocument['kind'], Kind>> = {
  invoice: { title: 'Invoice', taxed: 'Tax invoice', reference: 'Reference', total: 'Total', buyer: 'Billed to' },
  receipt: {
    title: 'Receipt',
    taxed: 'Tax invoice and receipt',
    reference: 'Payment of',
    total: 'Total paid',
    buyer: 'Received from',
  },
  credit_note: {
    title: 'Credit note',
    taxed: 'Credit note',
    reference: 'Corrects',
    total: 'Total credited',
    buyer: 'Credited to',
  },
}

const hasTax = ({ seller, gst_cents }: BillingDocument): boolean => seller.abn !== null && gst_cents !== null

/**
 * The title of a document. It is a tax invoice if the seller has an Australian Business Number and the total includes
 * tax. A receipt for an invoice is not a second tax invoice for the same supply.
 */
export function titleOf(document: BillingDocument): string {
  const { title, taxed } = kinds[document.kind]
  const paysInvoice = document.kind === 'receipt' && document.reference !== null
  return hasTax(document) && !paysInvoice ? taxed : title
}

/** The line below the title if the law requires one. */
export const subtitleOf = (document: BillingDocument): string | null =>
  document.kind === 'credit_note' && hasTax(document) ? 'Adjustment note for GST' : null

export type Fact = readonly [label: string, value: string]

/** The facts beside the buyer: number, dates, status. */
export function factsOf(document: BillingDocument): Fact[] {
  const { kind, number, issued_at, due_at, paid_at, status, period, reference } = document
  const facts: readonly (readonly [string, string | null])[] = [
    ['Number', number],
    ['Date of issue', dayOf(issued_at)],
    ['Period', period === null ? null : periodOf(period)],
    ['Due', due_at === null ? null : dayOf(due_at)],
    ['Paid', paid_at === null ? null : dayOf(paid_at)],
    [referenceLabel(document), reference],
    ['Status', kind === 'invoice' ? capitalised(status) : null],
  ]
  return facts.filter((fact): fact is Fact => fact[1] !== null)
}

/** A credit note with tax must name the tax invoice that it corrects. */
const referenceLabel = (document: BillingDocument): string =>
  document.kind === 'credit_note' && hasTax(document) ? 'Corrects tax invoice' : kinds[document.kind].reference

export const buyerLabel = ({ kind }: BillingDocument): string => kinds[kind].buyer

/** The total and the payment status. */
export function headlineOf(document: BillingDocument): { amount: string; sentence: string } {
  return { amount: dollars(document.total_cents), sentence: fateOf(document) }
}

const fates: Readonly<Record<string, string>> = {
  draft: 'Draft, not to be paid',
  uncollectible: 'Written off',
  void: 'Void, nothing to be paid',
}

function fateOf({ kind, status, due_at, paid_at, issued_at }: BillingDocument): string {
  if (kind === 'credit_note') return `credited on ${dayOf(issued_at)}`
  if (kind === 'receipt') return `received on ${dayOf(paid_at ?? issued_at)}`
  const fate = fates[status]
  if (fate) return fate
  if (paid_at !== null || status === 'paid') return paid_at === null ? 'paid' : `paid on ${dayOf(paid_at)}`
  return due_at === null ? 'due' : `due by ${dayOf(due_at)}`
}

/** The lines below the table; the last one is the total. */
export function totalsOf({ kind, total_cents, gst_cents }: BillingDocument): Fact[] {
  const total: Fact = [`${kinds[kind].total} (AUD)`, dollars(total_cents)]
  if (gst_cents === null) return [total]
  return [['Total without GST', dollars(total_cents - gst_cents)], ['GST (10%)', dollars(gst_cents)], total]
}

/** A note on currency, tax and time zone. */
export const figuresSentence = ({ gst_cents }: BillingDocument): string =>
  gst_cents === null
    ? 'Amounts are in Australian dollars (AUD). No GST applies. Dates are in UTC.'
    : 'Amounts are in Australian dollars (AUD) and include GST. Dates are in UTC.'

/** The address lines of a party, followed by its ABN. */
export const sellerLines = ({ abn, address }: Seller): string[] => [...address, ...(abn === null ? [] : [abnOf(abn)])]

export const buyerLines = (buyer: Buyer): string[] => [
  ...sellerLines(buyer),
  ...(buyer.tax_number === null ? [] : [`Tax number ${buyer.tax_number}`]),
  ...(buyer.email === null ? [] : [buyer.email]),
]

/** Groups eleven digits as the Australian Business Register does; other text is unchanged. */
export function abnOf(abn: string): string {
  const digits = abn.replaceAll(/\s/g, '')
  return `ABN ${digits.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')}`
}

/** Formats cents as dollars: `-$1,234.50`. */
export function dollars(cents: number): string {
  const size = Math.abs(cents)
  const rest = String(size % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}$${grouped(String(Math.trunc(size / 100)))}.${rest}`
}

/** Formats a decimal with grouped thousands, without trailing zeros beyond `min_digits` fraction digits. */
export function decimalText(value: string | number, shift = 0, least = 0): string {
  const { digits, scale } = readDecimal(value)
  const places = scale + shift
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  const fraction = text
    .slice(text.length - places)
    .replace(/(?<!0)0+$/, '')
    .padEnd(least, '0')
  return `${digits < 0n ? '-' : ''}${grouped(whole)}${fraction === '' ? '' : `.${fraction}`}`
}

const units: Readonly<Record<string, string>> = { km2: 'km²' }

export const quantityOf = ({ quantity, unit }: DocumentLine): string =>
  `${decimalText(quantity)}${unit === null ? '' : ` ${units[unit] ?? unit}`}`

/** The unit price in dollars with all its digits; empty if there is none. */
export const priceOf = ({ unit_price_cents: cents }: DocumentLine): string =>
  cents === null ? '' : decimalText(cents, 2, 2).replace(/^-?/, '$&$')

function grouped(digits: string): string {
  const first = digits.length % 3
  const threes = digits.slice(first).match(/\d{3}/g) ?? []
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...threes].join(',')
}

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `4 March 2026`, in UTC. */
export function dayOf(time: string): string {
  const at = new Date(time)
  return `${at.getUTCDate()} ${monthNames[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

function periodOf(period: string): string {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(period) ?? []
  return year && monthNames[Number(month) - 1] ? `${monthNames[Number(month) - 1]} ${year}` : period
}
