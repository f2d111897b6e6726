import { formatExactDecimal } from './exact-decimal.ts'
import type { BillingDocument, DocumentBuyer, DocumentLine, DocumentSeller } from './billing-document.ts'
import { hasDocumentGst, findDocumentTax } from './tax-category.ts'

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

/** The suffix of the title of a document of play money, and the warning on each of its pages. */
const playMoneyLabels = {
  play_money: {
    suffix: '(play money)',
    warning: 'Play money: not a tax invoice. Nothing was paid, is owed or can be claimed.',
  },
  sandbox: { suffix: '(sandbox)', warning: 'Sandbox: not a tax invoice. Nothing was paid, is owed or can be claimed.' },
} as const

/** The warning on every page of a document that is not about real money; null if it is. */
export const formatDocumentWarning = ({ purpose }: BillingDocument): string | null =>
  purpose === 'billing' ? null : playMoneyLabels[purpose].warning

/**
 * The title of a document. It is a tax invoice if the seller has an Australian Business Number and the total includes
 * tax. A receipt for an invoice is not a second tax invoice for the same supply.
 */
export function formatDocumentTitle(document: BillingDocument): string {
  const { title, taxTitle } = labelsByKind[document.kind]
  if (document.purpose !== 'billing') return `${title} ${playMoneyLabels[document.purpose].suffix}`
  return hasDocumentGst(document) && !isPaymentReceipt(document) ? taxTitle : title
}

/** True for the receipt of the payment of an invoice, which is not a second invoice for the same supply. */
export const isPaymentReceipt = ({ kind, reference }: Pick<BillingDocument, 'kind' | 'reference'>): boolean =>
  kind === 'receipt' && reference !== null

/** The line below the title if the law requires one, or the document is of no value. */
export const formatDocumentSubtitle = (document: BillingDocument): string | null =>
  formatDocumentWarning(document) ??
  (document.kind === 'credit_note' && hasDocumentGst(document) ? 'Adjustment note for GST' : null)

export type LabelledValue = readonly [label: string, value: string]

/** The details beside the buyer: number, dates, status. */
export function listBillingDocumentDetails(document: BillingDocument): LabelledValue[] {
  const { kind, number, issued_at, due_at, paid_at, status, period, reference, buyer } = document
  const labelledValues: readonly (readonly [string, string | null])[] = [
    ['Number', number],
    ['Date of issue', formatDocumentDay(issued_at)],
    ['Period', period === null ? null : formatPeriod(period)],
    ['Due', due_at === null ? null : formatDocumentDay(due_at)],
    ['Paid', paid_at === null ? null : formatDocumentDay(paid_at)],
    [referenceLabel(document), reference],
    ['Purchase order', buyer.purchase_order_number],
    ['Status', kind === 'invoice' ? capitalise(status) : null],
  ]
  return labelledValues.filter((labelledValue): labelledValue is LabelledValue => labelledValue[1] !== null)
}

/** A credit note with tax must name the tax invoice that it corrects. */
const referenceLabel = (document: BillingDocument): string =>
  document.kind === 'credit_note' && hasDocumentGst(document)
    ? 'Corrects tax invoice'
    : labelsByKind[document.kind].reference

export const formatBuyerLabel = ({ kind }: BillingDocument): string => labelsByKind[kind].buyer

/** The total and the payment status. */
export function formatDocumentHeadline(document: BillingDocument): { amount: string; sentence: string } {
  return { amount: formatDollars(document.total_cents), sentence: formatStatus(document) }
}

const statusTexts: Readonly<Record<string, string>> = {
  draft: 'Draft, not to be paid',
  uncollectible: 'Written off',
  void: 'Void, nothing to be paid',
}

function formatStatus({ kind, status, due_at, paid_at, issued_at }: BillingDocument): string {
  if (kind === 'credit_note') return `credited on ${formatDocumentDay(issued_at)}`
  if (kind === 'receipt') return `received on ${formatDocumentDay(paid_at ?? issued_at)}`
  const statusText = statusTexts[status]
  if (statusText) return statusText
  if (paid_at !== null || status === 'paid') return paid_at === null ? 'paid' : `paid on ${formatDocumentDay(paid_at)}`
  return due_at === null ? 'due' : `due by ${formatDocumentDay(due_at)}`
}

/** The lines below the table; the last one is the total. */
export function listDocumentTotals(document: BillingDocument): LabelledValue[] {
  const { kind, purpose, total_cents, gst_cents } = document
  const currency = purpose === 'billing' ? 'AUD' : 'play money'
  const total: LabelledValue = [`${labelsByKind[kind].total} (${currency})`, formatDollars(total_cents)]
  if (!hasDocumentGst(document) || gst_cents === null) return [total]
  return [['Total without GST', formatDollars(total_cents - gst_cents)], ['GST (10%)', formatDollars(gst_cents)], total]
}

/** A note on currency, tax and time zone. */
export function describeCurrencyAndTax(document: BillingDocument): string {
  const { code, meaning } = findDocumentTax(document)
  if (document.purpose !== 'billing') return `${formatDocumentWarning(document)} Dates are in UTC.`
  const amounts = `Amounts are in Australian dollars (AUD)${hasDocumentGst(document) ? ' and include GST' : '. No GST applies'}.`
  return `${amounts} Tax code ${code}: ${meaning}. Dates are in UTC.`
}

/** The address lines of the seller, followed by its ABN and e-mail address. */
export const formatSellerLines = ({ abn, address, email }: DocumentSeller): string[] => [
  ...address,
  ...listPresent(abn === null ? null : formatAbn(abn), email),
]

export const formatBuyerLines = ({ abn, address, tax_number, email }: DocumentBuyer): string[] => [
  ...address,
  ...listPresent(abn === null ? null : formatAbn(abn), tax_number === null ? null : `Tax number ${tax_number}`, email),
]

const listPresent = (...texts: readonly (string | null)[]): string[] => texts.filter((text) => text !== null)

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
  const [, sign = '', integerPart = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(
    formatExactDecimal(value, shift, min_digits),
  )!
  return `${sign}${groupThousands(integerPart)}${rest}`
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
export function formatDocumentDay(time: string): string {
  const at = new Date(time)
  return `${at.getUTCDate()} ${monthNames[at.getUTCMonth()]} ${at.getUTCFullYear()}`
}

function formatPeriod(period: string): string {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(period) ?? []
  return year && monthNames[Number(month) - 1] ? `${monthNames[Number(month) - 1]} ${year}` : period
}
