import type { ReportColumn, ReportTable } from './report-document.ts'
import { reportColours, reportPageSize, reportTextStyles, type ReportPages } from './report-page.ts'

const row_height = 15
const line_height = 11
const max_lines = 3
const gap = 8

/** Draws a table; its header is repeated on every page. */
export function drawReportTable(pages: ReportPages, table: ReportTable): void {
  pages.reserve(20 + 3 * row_height)
  pages.text.write(table.title, { x: reportPageSize.left, y: pages.y }, reportTextStyles.heading)
  pages.y += 20
  if (table.rows.length === 0) {
    pages.text.write('Nothing in this period.', { x: reportPageSize.left, y: pages.y }, reportTextStyles.body)
    pages.y += row_height
    return
  }
  const places = placeColumns(pages, table)
  drawHeader(pages, places)
  for (const row of table.rows) drawRow(pages, places, row)
  if (table.omitted === 0) return
  pages.reserve(row_height)
  pages.text.write(
    `${table.omitted} more rows are not shown; a CSV file of the report has all of them.`,
    { x: reportPageSize.left, y: pages.y + 4 },
    reportTextStyles.label,
  )
  pages.y += row_height
}

function drawRow(pages: ReportPages, places: readonly PlacedColumn[], row: readonly string[]): void {
  const cells = places.map(({ width }, at) =>
    pages.text.wrap(row[at] ?? '', reportTextStyles.body, { width, max_lines }),
  )
  const height = row_height + line_height * (Math.max(...cells.map((lines) => lines.length)) - 1)
  if (pages.reserve(height)) drawHeader(pages, places)
  for (const [at, { x, width, column }] of places.entries()) {
    const fit = { width, ...(column.align ? { align: column.align } : {}) }
    for (const [line, text] of cells[at]!.entries())
      pages.text.write(text, { x, y: pages.y + 2 + line_height * line }, reportTextStyles.body, fit)
  }
  pages.y += height
  pages.pdf
    .moveTo(reportPageSize.left, pages.y)
    .lineTo(reportPageSize.right, pages.y)
    .lineWidth(0.4)
    .stroke(reportColours.rule)
}

interface PlacedColumn {
  readonly column: ReportColumn
  readonly x: number
  readonly width: number
}

const headerStyle = { ...reportTextStyles.label, weight: 700 } as const

/** Columns with `fits` get what their texts need, as far as the others keep a third of the width. */
function placeColumns({ text }: ReportPages, { columns, rows }: ReportTable): PlacedColumn[] {
  const available = reportPageSize.right - reportPageSize.left - gap * (columns.length - 1)
  const needed = columns.map(({ title, fits }, at) =>
    fits
      ? Math.max(
          text.widthOf(title, headerStyle),
          ...rows.map((row) => text.widthOf(row[at] ?? '', reportTextStyles.body)),
        ) + 0.1
      : 0,
  )
  const sum = needed.reduce((total, width) => total + width, 0)
  const shrink = Math.min(1, (available * (columns.every(({ fits }) => fits) ? 1 : 2 / 3)) / sum)
  const weights = columns.reduce((total, { weight, fits }) => total + (fits ? 0 : weight), 0)
  let x: number = reportPageSize.left
  return columns.map((column, at) => {
    const width = column.fits ? needed[at]! * shrink : ((available - sum * shrink) * column.weight) / weights
    const place = { column, x, width }
    x += width + gap
    return place
  })
}

function drawHeader(pages: ReportPages, places: readonly PlacedColumn[]): void {
  for (const { column, x, width } of places) {
    const fit = { width, ...(column.align ? { align: column.align } : {}) }
    pages.text.write(column.title, { x, y: pages.y + 2 }, headerStyle, fit)
  }
  pages.y += row_height
  pages.pdf
    .moveTo(reportPageSize.left, pages.y)
    .lineTo(reportPageSize.right, pages.y)
    .lineWidth(0.8)
    .stroke(reportColours.muted)
}
