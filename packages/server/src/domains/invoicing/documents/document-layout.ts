import {
  buyerLabel,
  formatAbn,
  formatBuyerLines,
  formatDollars,
  formatHeadline,
  formatQuantity,
  formatSellerLines,
  formatSubtitle,
  formatTitle,
  formatUnitPrice,
  formatWarning,
  listFacts,
} from './documents.ts'
import type { BillingDocument, DocumentLine } from './billing-document.ts'
import {
  type PageCursor,
  bottom_y,
  colours,
  drawLines,
  drawRightAlignedLines,
  footer_y,
  left_x,
  line_height,
  right_x,
  section_gap,
  startContinuationPage,
  textStyles,
  top_y,
} from './layout-page.ts'
import { drawSummary } from './layout-summary.ts'
import { type PageCanvas, type TextLine, truncateLines, wrapText, writeRightAligned } from './page-canvas.ts'
import { taxOf } from './tax-category.ts'

/** The table columns with their text width; `from` aligns left, `to` aligns right. */
const columns = [
  { label: 'Description', from: left_x, width: 200 },
  { label: 'Quantity', to: 344, width: 78 },
  { label: 'Unit price', to: 420, width: 70 },
  { label: 'Tax', to: 456, width: 30 },
  { label: 'Amount', to: right_x, width: 76 },
] as const

/** The lines of the document. */
async function drawTable(cursor: PageCursor): Promise<void> {
  const { canvas, document } = cursor
  await canvas.group('Table', async () => {
    await canvas.group('TR', async () => drawTableHead(cursor, 'TH'))
    for (const line of document.lines) await drawRow(cursor, line)
  })
}

/** The labels of the columns: header cells on the first page, and artifacts where the table continues. */
function drawTableHead(cursor: PageCursor, kind: 'TH' | 'artifact'): void {
  const { canvas } = cursor
  for (const { label, ...tableColumn } of columns) {
    const draw = (): void => {
      if ('from' in tableColumn) canvas.write(label, tableColumn.from, cursor.y, textStyles.label)
      else writeRightAligned(canvas, { text: label, ink: textStyles.label }, tableColumn.to, cursor.y)
    }
    if (kind === 'TH') canvas.element('TH', draw)
    else canvas.artifact(draw)
  }
  cursor.y += 14
  canvas.drawRule({ from: left_x, to: right_x, y: cursor.y, thickness: 1, colour: colours.ink })
}

async function continueTable(cursor: PageCursor): Promise<void> {
  await startContinuationPage(cursor)
  drawTableHead(cursor, 'artifact')
}

/** Padding above and below the text of a row; unequal, because text is positioned by its upper edge. */
const [row_padding_top, row_padding_bottom] = [6.5, 4.5]
/** A row with more lines than this may be split across pages. */
const max_unsplit_lines = 8

async function drawRow(cursor: PageCursor, line: DocumentLine): Promise<void> {
  const cells = buildCells(cursor, line)
  const count = Math.max(...cells.map((cell) => cell.length))
  const countFittingLines = (): number =>
    Math.floor((bottom_y - cursor.y - row_padding_top - row_padding_bottom) / line_height)
  if (countFittingLines() < Math.min(count, max_unsplit_lines)) await continueTable(cursor)
  for (let from = 0; from < count;) {
    if (from > 0) await continueTable(cursor)
    const until = Math.min(count, from + countFittingLines())
    await cursor.canvas.group('TR', async () =>
      cells.forEach((cell, index) =>
        cursor.canvas.element('TD', () => drawCell(cursor, columns[index]!, cell.slice(from, until))),
      ),
    )
    cursor.y += (until - from) * line_height + row_padding_top + row_padding_bottom
    cursor.canvas.drawRule({ from: left_x, to: right_x, y: cursor.y, thickness: 0.5, colour: colours.hair })
    from = until
  }
}

function drawCell({ canvas, y }: PageCursor, tableColumn: (typeof columns)[number], lines: readonly TextLine[]): void {
  for (const [index, line] of lines.entries()) {
    const at = y + row_padding_top + index * line_height
    if ('from' in tableColumn) canvas.write(line.text, tableColumn.from, at, line.ink)
    else writeRightAligned(canvas, line, tableColumn.to, at)
  }
}

function buildCells({ canvas, document }: PageCursor, line: DocumentLine): TextLine[][] {
  const [description, ...figures] = columns
  const ids = [line.scene_id ? `Scene ${line.scene_id}` : null, line.order_id ? `Order ${line.order_id}` : null]
  const texts = [formatQuantity(line), formatUnitPrice(line), taxOf(document).code, formatDollars(line.amount_cents)]
  return [
    [
      ...wrapText(canvas, line.description, textStyles.text, description.width),
      ...ids.flatMap((id) => (id === null ? [] : wrapText(canvas, id, textStyles.small, description.width))),
    ],
    ...figures.map(({ width }, index) => wrapText(canvas, texts[index]!, textStyles.text, width)),
  ]
}

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
