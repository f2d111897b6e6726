import {
  formatAbn,
  buyerLabel,
  formatBuyerLines,
  formatHeadline,
  formatSellerLines,
  formatSubtitle,
  formatTitle,
  formatWarning,
  listFacts,
} from './documents.ts'
import type { BillingDocument } from './billing-document.ts'
import {
  colours,
  drawLines,
  drawRightAlignedLines,
  footer_y,
  left_x,
  line_height,
  right_x,
  section_gap,
  textStyles,
  top_y,
  type PageCursor,
} from './layout-page.ts'
import { drawSummary } from './layout-summary.ts'
import { drawTable } from './layout-table.ts'
import { truncateLines, wrapText, writeRightAligned, type PageCanvas } from './page-canvas.ts'

/** Lays out a document on as many pages as it needs. Its text must be printable. */
export async function layOutDocument(canvas: PageCanvas, document: BillingDocument): Promise<void> {
  const cursor: PageCursor = { canvas, document, y: top_y }
  await canvas.startPage()
  drawHeading(cursor)
  drawParties(cursor)
  await drawTable(cursor)
  await drawSummary(cursor)
}

/** Draws the footer of one page, once the number of pages is known. */
export function drawFooter(canvas: PageCanvas, document: BillingDocument, number: number, of: number): void {
  canvas.drawRule({ from: left_x, to: right_x, y: footer_y - 10, thickness: 0.5, colour: colours.hair })
  const { name, abn } = document.seller
  const sellerName = abn === null ? name : `${name} · ${formatAbn(abn)}`
  const [sellerText] = truncateLines(1, wrapText(canvas, sellerName, textStyles.small, 260))
  const pageLabel = {
    text: `${formatTitle(document)} ${document.number} · Page ${number} of ${of}`,
    ink: textStyles.small,
  }
  const warning = formatWarning(document)
  canvas.artifact(() => {
    canvas.write(sellerText!.text, left_x, footer_y, textStyles.small)
    writeRightAligned(canvas, pageLabel, right_x, footer_y)
    if (warning !== null) canvas.write(warning, left_x, footer_y + 12, textStyles.warning)
  })
}

function drawHeading(cursor: PageCursor): void {
  const { canvas, document } = cursor
  canvas.drawRule({ from: left_x, to: left_x + 36, y: top_y - 12, thickness: 3, colour: colours.accent })
  canvas.element('H1', () => canvas.write(formatTitle(document), left_x, top_y, textStyles.title))
  const subtitle = formatSubtitle(document)
  const lines = subtitle === null ? [] : wrapText(canvas, subtitle, textStyles.muted, 250)
  if (lines.length > 0) canvas.element('P', () => drawLines(canvas, left_x, top_y + 30, lines))
  const sellerLines = [
    ...wrapText(canvas, document.seller.name, textStyles.name, 210),
    ...formatSellerLines(document.seller).flatMap((line) => wrapText(canvas, line, textStyles.muted, 210)),
  ]
  let end = top_y
  canvas.element('P', () => {
    end = drawRightAlignedLines(canvas, right_x, top_y + 2, sellerLines)
  })
  cursor.y = Math.max(end, top_y + 56) + section_gap / 2
}

function drawParties(cursor: PageCursor): void {
  const { canvas, document } = cursor
  const { amount, sentence } = formatHeadline(document)
  canvas.drawRule({ from: left_x, to: right_x, y: cursor.y, thickness: 0.5, colour: colours.hair })
  const y = cursor.y + section_gap * 0.75
  const buyer = [
    ...wrapText(canvas, document.buyer.name, textStyles.name, 240),
    ...formatBuyerLines(document.buyer).flatMap((line) => wrapText(canvas, line, textStyles.text, 240)),
  ]
  const shown = truncateLines(14, buyer)
  canvas.element('P', () => {
    canvas.write(buyerLabel(document), left_x, y, textStyles.label)
    drawLines(canvas, left_x, y + 15, shown)
  })
  const labelledValues = drawFactTable(cursor, y)
  cursor.y = Math.max(y + 15 + shown.length * line_height, labelledValues) + section_gap
  canvas.element('P', () => {
    canvas.write(amount, left_x, cursor.y, textStyles.headline)
    const amount_width = canvas.textWidth(amount, textStyles.headline)
    canvas.write(sentence, left_x + amount_width + 8, cursor.y + 6.5, textStyles.muted)
  })
  cursor.y += 40
}

/** Writes the facts beside the buyer; returns the y below the last one. */
function drawFactTable({ canvas, document }: PageCursor, from: number): number {
  let y = from
  for (const [label, value] of listFacts(document)) {
    const lines = wrapText(canvas, value, textStyles.text, 130)
    let end = y
    canvas.element('P', () => {
      canvas.write(label, 330, y, textStyles.muted)
      end = drawRightAlignedLines(canvas, right_x, y, lines)
    })
    y = Math.max(y + line_height, end) + 2
  }
  return y
}
