import { readDecimal } from '../../ledger/rounding.ts'

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
  readonly seller: DocumentSeller
  readonly buyer: DocumentBuyer
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

export interface DocumentSeller {
  readonly name: string
  readonly abn: string | null
  readonly address: readonly string[]
}

export interface DocumentBuyer extends DocumentSeller {
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

interface DocumentKindLabels {
  readonly title: string
  /** The title if the document is a tax invoice under Australian law. */
  readonly taxTitle: string
  readonly reference: string
  readonly total: string
  readonly buyer: string
}

/** The Australian Taxation Office requires a credit note with tax to be called an adjustment note. */
const labelsByKind: Readonly<Record<BillingDocument['kind'], DocumentKindLabels>> = {
  invoice: { title: 'Invoice', taxTitle: 'Tax invoice', reference: 'Reference', total: 'Total', buyer: 'Billed to' },
  receipt: {
    title: 'Receipt',
    taxTitle: 'Tax invoice and receipt',
    reference: 'Payment of',
    total: 'Total paid',
    buyer: 'Received from',
  },
  credit_note: {
    title: 'Credit note',
    taxTitle: 'Credit note',
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
export function formatTitle(document: BillingDocument): string {
  const { title, taxTitle } = labelsByKind[document.kind]
  const paysInvoice = document.kind === 'receipt' && document.reference !== null
  return hasTax(document) && !paysInvoice ? taxTitle : title
}

/** The line below the title if the law requires one. */
export const formatSubtitle = (document: BillingDocument): string | null =>
  document.kind === 'credit_note' && hasTax(document) ? 'Adjustment note for GST' : null

export type LabelledValue = readonly [label: string, value: string]

/** The facts beside the buyer: number, dates, status. */
export function listFacts(document: BillingDocument): LabelledValue[] {
  const { kind, number, issued_at, due_at, paid_at, status, period, reference } = document
  const labelledValues: readonly (readonly [string, string | null])[] = [
    ['Number', number],
    ['Date of issue', formatDay(issued_at)],
    ['Period', period === null ? null : formatPeriod(period)],
    ['Due', due_at === null ? null : formatDay(due_at)],
    ['Paid', paid_at === null ? null : formatDay(paid_at)],
    [referenceLabel(document), reference],
    ['Status', kind === 'invoice' ? capitalise(status) : null],
  ]
  return labelledValues.filter((labelledValue): labelledValue is LabelledValue => labelledValue[1] !== null)
}

/** A credit note with tax must name the tax invoice that it corrects. */
const referenceLabel = (document: BillingDocument): string =>
  document.kind === 'credit_note' && hasTax(document) ? 'Corrects tax invoice' : labelsByKind[document.kind].reference

export const buyerLabel = ({ kind }: BillingDocument): string => labelsByKind[kind].buyer

/** The total and the payment status. */
export function formatHeadline(document: BillingDocument): { amount: string; sentence: string } {
  return { amount: formatDollars(document.total_cents), sentence: formatStatus(document) }
}

const statusTexts: Readonly<Record<string, string>> = {
  draft: 'Draft, not to be paid',
  uncollectible: 'Written off',
  void: 'Void, nothing to be paid',
}

function formatStatus({ kind, status, due_at, paid_at, issued_at }: BillingDocument): string {
  if (kind === 'credit_note') return `credited on ${formatDay(issued_at)}`
  if (kind === 'receipt') return `received on ${formatDay(paid_at ?? issued_at)}`
  const statusText = statusTexts[status]
  if (statusText) return statusText
  if (paid_at !== null || status === 'paid') return paid_at === null ? 'paid' : `paid on ${formatDay(paid_at)}`
  return due_at === null ? 'due' : `due by ${formatDay(due_at)}`
}

/** The lines below the table; the last one is the total. */
export function listTotals({ kind, total_cents, gst_cents }: BillingDocument): LabelledValue[] {
  const total: LabelledValue = [`${labelsByKind[kind].total} (AUD)`, formatDollars(total_cents)]
  if (gst_cents === null) return [total]
  return [['Total without GST', formatDollars(total_cents - gst_cents)], ['GST (10%)', formatDollars(gst_cents)], total]
}

/** A note on currency, tax and time zone. */
export const describeAmounts = ({ gst_cents }: BillingDocument): string =>
  gst_cents === null
    ? 'Amounts are in Australian dollars (AUD). No GST applies. Dates are in UTC.'
    : 'Amounts are in Australian dollars (AUD) and include GST. Dates are in UTC.'

/** The address lines of a party, followed by its ABN. */
export const formatSellerLines = ({ abn, address }: DocumentSeller): string[] => [
  ...address,
  ...(abn === null ? [] : [formatAbn(abn)]),
]

export const formatBuyerLines = (buyer: DocumentBuyer): string[] => [
  ...formatSellerLines(buyer),
  ...(buyer.tax_number === null ? [] : [`Tax number ${buyer.tax_number}`]),
  ...(buyer.email === null ? [] : [buyer.email]),
]

/** Groups eleven digits as the Australian Business Register does; other text is unchanged. */
export function formatAbn(abn: string): string {
  const digits = abn.replaceAll(/\s/g, '')
  return `ABN ${digits.replace(/^(\d\d)(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4')}`
}

/** Formats cents as dollars: `-$1,234.50`. */
export function formatDollars(cents: number): string {
  const size = Math.abs(cents)
  const rest = String(size % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}$${groupThousands(String(Math.trunc(size / 100)))}.${rest}`
}

/** Formats a decimal with grouped thousands, without trailing zeros beyond `min_digits` fraction digits. */
export function formatDecimal(value: string | number, shift = 0, min_digits = 0): string {
  const { digits, scale } = readDecimal(value)
  const places = scale + shift
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const integerPart = text.slice(0, text.length - places)
  const fraction = text
    .slice(text.length - places)
    .replace(/(?<!0)0+$/, '')
    .padEnd(min_digits, '0')
  return `${digits < 0n ? '-' : ''}${groupThousands(integerPart)}${fraction === '' ? '' : `.${fraction}`}`
}

const unitSymbols: Readonly<Record<string, string>> = { km2: 'km²' }

export const formatQuantity = ({ quantity, unit }: DocumentLine): string =>
  `${formatDecimal(quantity)}${unit === null ? '' : ` ${unitSymbols[unit] ?? unit}`}`

/** The unit price in dollars with all its digits; empty if there is none. */
export const formatUnitPrice = ({ unit_price_cents: cents }: DocumentLine): string =>
  cents === null ? '' : formatDecimal(cents, 2, 2).replace(/^-?/, '$&$')

function groupThousands(digits: string): string {
  const first = digits.length % 3
  const threes = digits.slice(first).match(/\d{3}/g) ?? []
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...threes].join(',')
}

const capitalise = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

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
export function formatDay(time: string): string {
  const at = new Date(time)
  return `${at.getUTCDate()} ${monthNames[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

function formatPeriod(period: string): string {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(period) ?? []
  return year && monthNames[Number(month) - 1] ? `${monthNames[Number(month) - 1]} ${year}` : period
}
