import { formatDollars, formatQuantity, formatUnitPrice } from './documents.ts'
import type { DocumentLine } from './billing-document.ts'
import {
  bottom_y,
  colours,
  left_x,
  line_height,
  right_x,
  startContinuationPage,
  textStyles,
  type PageCursor,
} from './layout-page.ts'
import { wrapText, writeRightAligned, type TextLine } from './page-canvas.ts'
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
export async function drawTable(cursor: PageCursor): Promise<void> {
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
