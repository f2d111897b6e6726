import type { BillingDocument } from './billing-document.ts'
import { describeCurrencyAndTax, listTotals } from './documents.ts'
import {
  bottom_y,
  colours,
  drawLines,
  left_x,
  line_height,
  right_x,
  section_gap,
  startContinuationPage,
  textStyles,
  type PageCursor,
} from './layout-page.ts'
import { wrapText, writeRightAligned } from './page-canvas.ts'
import { describePayment } from './payment-details.ts'

/** Values with their labels at the left, in a column as wide as half a page. */
const [label_x, value_x] = [330, right_x]

/** The part below the table is on one page, unless it is higher than this, in points. */
const max_unsplit_height = 400

/** The height in points of the totals, the payment and the notes. */
function summaryHeight({ canvas, document }: PageCursor): number {
  const payment = describePayment(document)
  const notes = listNotes(document).map((note) => wrapText(canvas, note, textStyles.muted, right_x - left_x).length)
  return (
    19 +
    listTotals(document).length * 16 +
    section_gap +
    (payment === null ? 0 : 14 + payment.values.length * (line_height + 2) + section_gap / 2) +
    notes.reduce((sum, lines) => sum + lines * line_height + 4, 0)
  )
}

const listNotes = (document: BillingDocument): readonly string[] => [
  describeCurrencyAndTax(document),
  ...document.notes,
]

/** The totals, the payment and the notes below the table. */
export async function drawSummary(cursor: PageCursor): Promise<void> {
  if (bottom_y - cursor.y < Math.min(summaryHeight(cursor), max_unsplit_height)) await startContinuationPage(cursor)
  await drawTotals(cursor)
  await drawPayment(cursor)
  await drawNotes(cursor)
}

async function drawTotals(cursor: PageCursor): Promise<void> {
  const { canvas, document } = cursor
  const labelledValues = listTotals(document)
  cursor.y += 12
  for (const [index, [label, amount]] of labelledValues.entries()) {
    const last = index === labelledValues.length - 1
    if (last) {
      canvas.drawRule({ from: label_x, to: value_x, y: cursor.y, thickness: 1, colour: colours.ink })
      cursor.y += 7
    }
    canvas.element('P', () => {
      canvas.write(label, label_x, cursor.y, last ? textStyles.total : textStyles.muted)
      const ink = last ? textStyles.total : textStyles.text
      writeRightAligned(canvas, { text: amount, ink }, value_x, cursor.y)
    })
    cursor.y += 16
  }
  cursor.y += section_gap
}

/** Draws how the document was paid, or how to pay it. */
async function drawPayment(cursor: PageCursor): Promise<void> {
  const { canvas, document } = cursor
  const details = describePayment(document)
  if (details === null) return
  const rows = details.values.map(([label, value]) => ({ label, lines: wrapText(canvas, value, textStyles.text, 330) }))
  const height = rows.reduce((sum, { lines }) => sum + lines.length * line_height + 2, 16 + section_gap)
  if (bottom_y - cursor.y < height) await startContinuationPage(cursor)
  canvas.element('P', () => canvas.write(details.title, left_x, cursor.y, textStyles.label))
  cursor.y += 14
  for (const { label, lines } of rows) {
    canvas.element('P', () => {
      canvas.write(label, left_x, cursor.y, textStyles.muted)
      drawLines(canvas, left_x + 96, cursor.y, lines)
    })
    cursor.y += lines.length * line_height + 2
  }
  cursor.y += section_gap / 2
}

/** Each note as a paragraph; one that does not fit continues on the next page. */
async function drawNotes(cursor: PageCursor): Promise<void> {
  const { canvas, document } = cursor
  for (const note of listNotes(document)) {
    const lines = wrapText(canvas, note, textStyles.muted, right_x - left_x)
    while (lines.length > 0) {
      if (cursor.y + line_height > bottom_y) await startContinuationPage(cursor)
      const fitting = lines.splice(0, Math.floor((bottom_y - cursor.y) / line_height))
      canvas.element('P', () => {
        cursor.y = drawLines(canvas, left_x, cursor.y, fitting)
      })
    }
    cursor.y += 4
  }
}
