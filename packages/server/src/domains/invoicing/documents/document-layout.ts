import {
  formatAbn,
  describeAmounts,
  buyerLabel,
  formatBuyerLines,
  formatDollars,
  listFacts,
  formatHeadline,
  formatUnitPrice,
  formatQuantity,
  formatSellerLines,
  formatSubtitle,
  formatTitle,
  listTotals,
  type BillingDocument,
  type DocumentLine,
  type LabelledValue,
} from './documents.ts'
import {
  truncateLines,
  wrapText,
  writeRightAligned,
  type TextStyle,
  type TextLine,
  type PageCanvas,
} from './page-canvas.ts'

/** A4. */
export const page = { width: 595.28, height: 841.89 } as const

const left_x = 56
const right_x = page.width - 56
const top_y = 56
/** The content of a page ends above this; the footer is below. */
const bottom_y = page.height - 84
const footer_y = page.height - 56

const colours = { ink: '#17212e', muted: '#5e6a78', hair: '#d5dbe3', accent: '#0f5f8f' } as const
const textStyle = (size: number, colour: keyof typeof colours = 'ink', bold = false): TextStyle => ({
  size,
  bold,
  colour: colours[colour],
})

const textStyles = {
  title: textStyle(24, 'ink', true),
  headline: textStyle(18, 'ink', true),
  name: textStyle(10, 'ink', true),
  text: textStyle(9),
  strong: textStyle(9, 'ink', true),
  total: textStyle(11, 'ink', true),
  muted: textStyle(9, 'muted'),
  small: textStyle(7.5, 'muted'),
  label: textStyle(7.5, 'accent', true),
} as const

/** The distance between lines of text. */
const line_height = 12.5
const section_gap = 24

/** The table columns with their text width; `from` aligns left, `to` aligns right. */
const columns = [
  { label: 'Description', from: left_x, width: 232 },
  { label: 'Quantity', to: 374, width: 78 },
  { label: 'Unit price', to: 456, width: 74 },
  { label: 'Amount', to: right_x, width: 76 },
] as const

/** The vertical position on the current page. */
interface PageCursor {
  readonly canvas: PageCanvas
  readonly document: BillingDocument
  y: number
}

/** Lays out a document on as many pages as it needs. Its text must be printable. */
export async function layOutDocument(canvas: PageCanvas, document: BillingDocument): Promise<void> {
  const cursor: PageCursor = { canvas, document, y: top_y }
  await canvas.startPage()
  drawHeading(cursor)
  drawParties(cursor)
  drawTableHead(cursor)
  for (const line of document.lines) await drawRow(cursor, line)
  await drawTotalsAndNotes(cursor)
}

/** Draws the footer of one page, once the number of pages is known. */
export function drawFooter(canvas: PageCanvas, document: BillingDocument, number: number, of: number): void {
  canvas.drawRule({ from: left_x, to: right_x, y: footer_y - 10, thickness: 0.5, colour: colours.hair })
  const { name, abn } = document.seller
  const [sellerText] = truncateLines(
    1,
    wrapText(canvas, abn === null ? name : `${name} · ${formatAbn(abn)}`, textStyles.small, 260),
  )
  canvas.write(sellerText!.text, left_x, footer_y, textStyles.small)
  const pageLabel = {
    text: `${formatTitle(document)} ${document.number} · Page ${number} of ${of}`,
    ink: textStyles.small,
  }
  writeRightAligned(canvas, pageLabel, right_x, footer_y)
}

function drawHeading(cursor: PageCursor): void {
  const { canvas, document } = cursor
  canvas.drawRule({ from: left_x, to: left_x + 36, y: top_y - 12, thickness: 3, colour: colours.accent })
  canvas.write(formatTitle(document), left_x, top_y, textStyles.title)
  const subtitle = formatSubtitle(document)
  if (subtitle) canvas.write(subtitle, left_x, top_y + 30, textStyles.muted)
  const end = drawRightAlignedLines(canvas, right_x, top_y + 2, [
    ...wrapText(canvas, document.seller.name, textStyles.name, 210),
    ...formatSellerLines(document.seller).flatMap((line) => wrapText(canvas, line, textStyles.muted, 210)),
  ])
  cursor.y = Math.max(end, top_y + 56) + section_gap / 2
}

/** Writes lines below each other, aligned right; returns the y below the last one. */
function drawRightAlignedLines(canvas: PageCanvas, to: number, y: number, lines: readonly TextLine[]): number {
  const shown = truncateLines(12, lines)
  for (const [index, line] of shown.entries()) writeRightAligned(canvas, line, to, y + index * line_height)
  return y + shown.length * line_height
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
  canvas.write(buyerLabel(document), left_x, y, textStyles.label)
  const shown = truncateLines(14, buyer)
  for (const [index, line] of shown.entries()) canvas.write(line.text, left_x, y + 15 + index * line_height, line.ink)
  const labelledValues = drawFactTable(cursor, y)
  cursor.y = Math.max(y + 15 + shown.length * line_height, labelledValues) + section_gap
  canvas.write(amount, left_x, cursor.y, textStyles.headline)
  canvas.write(sentence, left_x + canvas.textWidth(amount, textStyles.headline) + 8, cursor.y + 6.5, textStyles.muted)
  cursor.y += 40
}

/** Writes the facts beside the buyer; returns the y below the last one. */
function drawFactTable({ canvas, document }: PageCursor, from: number): number {
  let y = from
  for (const [label, value] of listFacts(document)) {
    canvas.write(label, 330, y, textStyles.muted)
    y =
      Math.max(
        y + line_height,
        drawRightAlignedLines(canvas, right_x, y, wrapText(canvas, value, textStyles.text, 130)),
      ) + 2
  }
  return y
}

function drawTableHead(cursor: PageCursor): void {
  const { canvas } = cursor
  for (const { label, ...tableColumn } of columns) {
    if ('from' in tableColumn) canvas.write(label, tableColumn.from, cursor.y, textStyles.label)
    else writeRightAligned(canvas, { text: label, ink: textStyles.label }, tableColumn.to, cursor.y)
  }
  cursor.y += 14
  canvas.drawRule({ from: left_x, to: right_x, y: cursor.y, thickness: 1, colour: colours.ink })
}

/** Starts a continuation page with a small heading. */
async function startContinuationPage(cursor: PageCursor, within: 'table' | 'text'): Promise<void> {
  const { canvas, document } = cursor
  await canvas.startPage()
  canvas.write(`${formatTitle(document)} ${document.number}, continued`, left_x, top_y - 12, textStyles.muted)
  cursor.y = top_y + 12
  if (within === 'table') drawTableHead(cursor)
}

/** Padding above and below the text of a row; unequal, because text is positioned by its upper edge. */
const [row_padding_top, row_padding_bottom] = [6.5, 4.5]
/** A row with more lines than this may be split across pages. */
const max_unsplit_lines = 8

async function drawRow(cursor: PageCursor, line: DocumentLine): Promise<void> {
  const cells = buildCells(cursor.canvas, line)
  const count = Math.max(...cells.map((cell) => cell.length))
  const countFittingLines = (): number =>
    Math.floor((bottom_y - cursor.y - row_padding_top - row_padding_bottom) / line_height)
  if (countFittingLines() < Math.min(count, max_unsplit_lines)) await startContinuationPage(cursor, 'table')
  for (let from = 0; from < count;) {
    if (from > 0) await startContinuationPage(cursor, 'table')
    const until = Math.min(count, from + countFittingLines())
    cells.forEach((cell, index) => drawCell(cursor, columns[index]!, cell.slice(from, until)))
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

function buildCells(canvas: PageCanvas, line: DocumentLine): TextLine[][] {
  const [description, ...figures] = columns
  const order =
    line.order_id === null ? [] : wrapText(canvas, `Order ${line.order_id}`, textStyles.small, description.width)
  const texts = [formatQuantity(line), formatUnitPrice(line), formatDollars(line.amount_cents)]
  return [
    [...wrapText(canvas, line.description, textStyles.text, description.width), ...order],
    ...figures.map(({ width }, index) => wrapText(canvas, texts[index]!, textStyles.text, width)),
  ]
}

/** The totals and the notes below them, on one page unless the notes are too long. */
async function drawTotalsAndNotes(cursor: PageCursor): Promise<void> {
  const { canvas, document } = cursor
  const labelledValues = listTotals(document)
  const paragraphs = [describeAmounts(document), ...document.notes].map((note) =>
    wrapText(canvas, note, textStyles.muted, right_x - left_x),
  )
  const height =
    12 + labelledValues.length * 16 + 7 + section_gap + paragraphs.flat().length * line_height + paragraphs.length * 4
  if (bottom_y - cursor.y < Math.min(height, 240)) await startContinuationPage(cursor, 'text')
  drawTotals(cursor, labelledValues)
  for (const lines of paragraphs) {
    for (const line of lines) {
      if (cursor.y + line_height > bottom_y) await startContinuationPage(cursor, 'text')
      canvas.write(line.text, left_x, cursor.y, line.ink)
      cursor.y += line_height
    }
    cursor.y += 4
  }
}

function drawTotals(cursor: PageCursor, labelledValues: readonly LabelledValue[]): void {
  const { canvas } = cursor
  cursor.y += 12
  for (const [index, [label, amount]] of labelledValues.entries()) {
    const last = index === labelledValues.length - 1
    if (last) {
      canvas.drawRule({ from: 330, to: right_x, y: cursor.y, thickness: 1, colour: colours.ink })
      cursor.y += 7
    }
    canvas.write(label, 330, cursor.y, last ? textStyles.total : textStyles.muted)
    writeRightAligned(canvas, { text: amount, ink: last ? textStyles.total : textStyles.text }, right_x, cursor.y)
    cursor.y += 16
  }
  cursor.y += section_gap
}
