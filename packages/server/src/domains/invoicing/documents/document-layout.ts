import {
  formatBuyerLabel,
  formatAbn,
  formatBuyerLines,
  formatDollars,
  formatDocumentHeadline,
  formatQuantity,
  formatSellerLines,
  formatDocumentSubtitle,
  formatDocumentTitle,
  formatUnitPrice,
  formatDocumentWarning,
  listBillingDocumentDetails,
} from './documents.ts'
import type { BillingDocument, DocumentLine } from './billing-document.ts'
import {
  type PdfPagePosition,
  page_bottom_y,
  documentColours,
  drawTextLines,
  drawRightAlignedLines,
  page_footer_y,
  page_left_x,
  text_line_height,
  page_right_x,
  page_section_gap,
  startContinuationPage,
  documentTextStyles,
  page_top_y,
} from './layout-page.ts'
import { drawDocumentSummary } from './layout-summary.ts'
import { type PageCanvas, type TextLine, truncateLines, wrapText, writeRightAligned } from './page-canvas.ts'
import { findDocumentTax } from './tax-category.ts'

/** The table columns with their text width; `from` aligns left, `to` aligns right. */
const columns = [
  { label: 'Description', from: page_left_x, width: 200 },
  { label: 'Quantity', to: 344, width: 78 },
  { label: 'Unit price', to: 420, width: 70 },
  { label: 'Tax', to: 456, width: 30 },
  { label: 'Amount', to: page_right_x, width: 76 },
] as const

/** The lines of the document. */
async function drawTable(cursor: PdfPagePosition): Promise<void> {
  const { canvas, document } = cursor
  await canvas.group('Table', async () => {
    await canvas.group('TR', async () => drawTableHead(cursor, 'TH'))
    for (const line of document.lines) await drawRow(cursor, line)
  })
}

/** The labels of the columns: header cells on the first page, and artifacts where the table continues. */
function drawTableHead(cursor: PdfPagePosition, kind: 'TH' | 'artifact'): void {
  const { canvas } = cursor
  for (const { label, ...tableColumn } of columns) {
    const draw = (): void => {
      if ('from' in tableColumn) canvas.write(label, tableColumn.from, cursor.y, documentTextStyles.label)
      else writeRightAligned(canvas, { text: label, ink: documentTextStyles.label }, tableColumn.to, cursor.y)
    }
    if (kind === 'TH') canvas.element('TH', draw)
    else canvas.artifact(draw)
  }
  cursor.y += 14
  canvas.drawRule({ from: page_left_x, to: page_right_x, y: cursor.y, thickness: 1, colour: documentColours.ink })
}

async function continueTable(cursor: PdfPagePosition): Promise<void> {
  await startContinuationPage(cursor)
  drawTableHead(cursor, 'artifact')
}

/** Padding above and below the text of a row; unequal, because text is positioned by its upper edge. */
const [row_padding_top, row_padding_bottom] = [6.5, 4.5]
/** A row with more lines than this may be split across pages. */
const max_unsplit_lines = 8

async function drawRow(cursor: PdfPagePosition, line: DocumentLine): Promise<void> {
  const cells = buildCells(cursor, line)
  const count = Math.max(...cells.map((cell) => cell.length))
  const countFittingLines = (): number =>
    Math.floor((page_bottom_y - cursor.y - row_padding_top - row_padding_bottom) / text_line_height)
  if (countFittingLines() < Math.min(count, max_unsplit_lines)) await continueTable(cursor)
  for (let from = 0; from < count;) {
    if (from > 0) await continueTable(cursor)
    const until = Math.min(count, from + countFittingLines())
    await cursor.canvas.group('TR', async () =>
      cells.forEach((cell, index) =>
        cursor.canvas.element('TD', () => drawCell(cursor, columns[index]!, cell.slice(from, until))),
      ),
    )
    cursor.y += (until - from) * text_line_height + row_padding_top + row_padding_bottom
    cursor.canvas.drawRule({
      from: page_left_x,
      to: page_right_x,
      y: cursor.y,
      thickness: 0.5,
      colour: documentColours.hair,
    })
    from = until
  }
}

function drawCell(
  { canvas, y }: PdfPagePosition,
  tableColumn: (typeof columns)[number],
  lines: readonly TextLine[],
): void {
  for (const [index, line] of lines.entries()) {
    const at = y + row_padding_top + index * text_line_height
    if ('from' in tableColumn) canvas.write(line.text, tableColumn.from, at, line.ink)
    else writeRightAligned(canvas, line, tableColumn.to, at)
  }
}

function buildCells({ canvas, document }: PdfPagePosition, line: DocumentLine): TextLine[][] {
  const [description, ...figures] = columns
  const ids = [line.scene_id ? `Scene ${line.scene_id}` : null, line.order_id ? `Order ${line.order_id}` : null]
  const texts = [
    formatQuantity(line),
    formatUnitPrice(line),
    findDocumentTax(document).code,
    formatDollars(line.amount_cents),
  ]
  return [
    [
      ...wrapText(canvas, line.description, documentTextStyles.text, description.width),
      ...ids.flatMap((id) => (id === null ? [] : wrapText(canvas, id, documentTextStyles.small, description.width))),
    ],
    ...figures.map(({ width }, index) => wrapText(canvas, texts[index]!, documentTextStyles.text, width)),
  ]
}

/** Lays out a document on as many pages as it needs. Its text must be printable. */
export async function layOutDocument(canvas: PageCanvas, document: BillingDocument): Promise<void> {
  const cursor: PdfPagePosition = { canvas, document, y: page_top_y }
  await canvas.startPage()
  drawHeading(cursor)
  drawParties(cursor)
  await drawTable(cursor)
  await drawDocumentSummary(cursor)
}

/** Draws the footer of one page, once the number of pages is known. */
export function drawDocumentFooter(canvas: PageCanvas, document: BillingDocument, number: number, of: number): void {
  canvas.drawRule({
    from: page_left_x,
    to: page_right_x,
    y: page_footer_y - 10,
    thickness: 0.5,
    colour: documentColours.hair,
  })
  const { name, abn } = document.seller
  const sellerName = abn === null ? name : `${name} · ${formatAbn(abn)}`
  const [sellerText] = truncateLines(1, wrapText(canvas, sellerName, documentTextStyles.small, 260))
  const pageLabel = {
    text: `${formatDocumentTitle(document)} ${document.number} · Page ${number} of ${of}`,
    ink: documentTextStyles.small,
  }
  const warning = formatDocumentWarning(document)
  canvas.artifact(() => {
    canvas.write(sellerText!.text, page_left_x, page_footer_y, documentTextStyles.small)
    writeRightAligned(canvas, pageLabel, page_right_x, page_footer_y)
    if (warning !== null) canvas.write(warning, page_left_x, page_footer_y + 12, documentTextStyles.warning)
  })
}

function drawHeading(cursor: PdfPagePosition): void {
  const { canvas, document } = cursor
  canvas.drawRule({
    from: page_left_x,
    to: page_left_x + 36,
    y: page_top_y - 12,
    thickness: 3,
    colour: documentColours.accent,
  })
  canvas.element('H1', () =>
    canvas.write(formatDocumentTitle(document), page_left_x, page_top_y, documentTextStyles.title),
  )
  const subtitle = formatDocumentSubtitle(document)
  const lines = subtitle === null ? [] : wrapText(canvas, subtitle, documentTextStyles.muted, 250)
  if (lines.length > 0) canvas.element('P', () => drawTextLines(canvas, page_left_x, page_top_y + 30, lines))
  const sellerLines = [
    ...wrapText(canvas, document.seller.name, documentTextStyles.name, 210),
    ...formatSellerLines(document.seller).flatMap((line) => wrapText(canvas, line, documentTextStyles.muted, 210)),
  ]
  let end = page_top_y
  canvas.element('P', () => {
    end = drawRightAlignedLines(canvas, page_right_x, page_top_y + 2, sellerLines)
  })
  cursor.y = Math.max(end, page_top_y + 56) + page_section_gap / 2
}

function drawParties(cursor: PdfPagePosition): void {
  const { canvas, document } = cursor
  const { amount, sentence } = formatDocumentHeadline(document)
  canvas.drawRule({ from: page_left_x, to: page_right_x, y: cursor.y, thickness: 0.5, colour: documentColours.hair })
  const y = cursor.y + page_section_gap * 0.75
  const buyer = [
    ...wrapText(canvas, document.buyer.name, documentTextStyles.name, 240),
    ...formatBuyerLines(document.buyer).flatMap((line) => wrapText(canvas, line, documentTextStyles.text, 240)),
  ]
  const shown = truncateLines(14, buyer)
  canvas.element('P', () => {
    canvas.write(formatBuyerLabel(document), page_left_x, y, documentTextStyles.label)
    drawTextLines(canvas, page_left_x, y + 15, shown)
  })
  const labelledValues = drawFactTable(cursor, y)
  cursor.y = Math.max(y + 15 + shown.length * text_line_height, labelledValues) + page_section_gap
  canvas.element('P', () => {
    canvas.write(amount, page_left_x, cursor.y, documentTextStyles.headline)
    const amount_width = canvas.textWidth(amount, documentTextStyles.headline)
    canvas.write(sentence, page_left_x + amount_width + 8, cursor.y + 6.5, documentTextStyles.muted)
  })
  cursor.y += 40
}

/** Writes the facts beside the buyer; returns the y below the last one. */
function drawFactTable({ canvas, document }: PdfPagePosition, from: number): number {
  let y = from
  for (const [label, value] of listBillingDocumentDetails(document)) {
    const lines = wrapText(canvas, value, documentTextStyles.text, 130)
    let end = y
    canvas.element('P', () => {
      canvas.write(label, 330, y, documentTextStyles.muted)
      end = drawRightAlignedLines(canvas, page_right_x, y, lines)
    })
    y = Math.max(y + text_line_height, end) + 2
  }
  return y
}
