import type { BillingDocument, DocumentPayment } from './billing-document.ts'
import {
  type LabelledValue,
  describeCurrencyAndTax,
  formatDocumentDay,
  formatDollars,
  listDocumentTotals,
} from './documents.ts'
import {
  type PdfPagePosition,
  page_bottom_y,
  documentColours,
  drawTextLines,
  page_left_x,
  text_line_height,
  page_right_x,
  page_section_gap,
  startContinuationPage,
  documentTextStyles,
} from './layout-page.ts'
import { wrapText, writeRightAligned } from './page-canvas.ts'

/** The payment of a document, or instructions to pay it. */
interface PaymentDetails {
  readonly title: string
  readonly values: readonly LabelledValue[]
}

/** Null if nothing is to be paid and the payment is unknown, and for play money that is owed. */
function describePayment(document: BillingDocument): PaymentDetails | null {
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
    ['Due', due_at === null ? null : formatDocumentDay(due_at)],
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

/** Values with their labels at the left, in a column as wide as half a page. */
const [label_x, value_x] = [330, page_right_x]

/** The part below the table is on one page, unless it is higher than this, in points. */
const max_unsplit_height = 400

/** The height in points of the totals, the payment and the notes. */
function summaryHeight({ canvas, document }: PdfPagePosition): number {
  const payment = describePayment(document)
  const notes = listNotes(document).map(
    (note) => wrapText(canvas, note, documentTextStyles.muted, page_right_x - page_left_x).length,
  )
  return (
    19 +
    listDocumentTotals(document).length * 16 +
    page_section_gap +
    (payment === null ? 0 : 14 + payment.values.length * (text_line_height + 2) + page_section_gap / 2) +
    notes.reduce((sum, lines) => sum + lines * text_line_height + 4, 0)
  )
}

const listNotes = (document: BillingDocument): readonly string[] => [
  describeCurrencyAndTax(document),
  ...document.notes,
]

/** The totals, the payment and the notes below the table. */
export async function drawDocumentSummary(cursor: PdfPagePosition): Promise<void> {
  if (page_bottom_y - cursor.y < Math.min(summaryHeight(cursor), max_unsplit_height))
    await startContinuationPage(cursor)
  await drawTotals(cursor)
  await drawPayment(cursor)
  await drawNotes(cursor)
}

async function drawTotals(cursor: PdfPagePosition): Promise<void> {
  const { canvas, document } = cursor
  const labelledValues = listDocumentTotals(document)
  cursor.y += 12
  for (const [index, [label, amount]] of labelledValues.entries()) {
    const last = index === labelledValues.length - 1
    if (last) {
      canvas.drawRule({ from: label_x, to: value_x, y: cursor.y, thickness: 1, colour: documentColours.ink })
      cursor.y += 7
    }
    canvas.element('P', () => {
      canvas.write(label, label_x, cursor.y, last ? documentTextStyles.total : documentTextStyles.muted)
      const ink = last ? documentTextStyles.total : documentTextStyles.text
      writeRightAligned(canvas, { text: amount, ink }, value_x, cursor.y)
    })
    cursor.y += 16
  }
  cursor.y += page_section_gap
}

/** Draws how the document was paid, or how to pay it. */
async function drawPayment(cursor: PdfPagePosition): Promise<void> {
  const { canvas, document } = cursor
  const details = describePayment(document)
  if (details === null) return
  const rows = details.values.map(([label, value]) => ({
    label,
    lines: wrapText(canvas, value, documentTextStyles.text, 330),
  }))
  const height = rows.reduce((sum, { lines }) => sum + lines.length * text_line_height + 2, 16 + page_section_gap)
  if (page_bottom_y - cursor.y < height) await startContinuationPage(cursor)
  canvas.element('P', () => canvas.write(details.title, page_left_x, cursor.y, documentTextStyles.label))
  cursor.y += 14
  for (const { label, lines } of rows) {
    canvas.element('P', () => {
      canvas.write(label, page_left_x, cursor.y, documentTextStyles.muted)
      drawTextLines(canvas, page_left_x + 96, cursor.y, lines)
    })
    cursor.y += lines.length * text_line_height + 2
  }
  cursor.y += page_section_gap / 2
}

/** Each note as a paragraph; one that does not fit continues on the next page. */
async function drawNotes(cursor: PdfPagePosition): Promise<void> {
  const { canvas, document } = cursor
  for (const note of listNotes(document)) {
    const lines = wrapText(canvas, note, documentTextStyles.muted, page_right_x - page_left_x)
    while (lines.length > 0) {
      if (cursor.y + text_line_height > page_bottom_y) await startContinuationPage(cursor)
      const fitting = lines.splice(0, Math.floor((page_bottom_y - cursor.y) / text_line_height))
      canvas.element('P', () => {
        cursor.y = drawTextLines(canvas, page_left_x, cursor.y, fitting)
      })
    }
    cursor.y += 4
  }
}
