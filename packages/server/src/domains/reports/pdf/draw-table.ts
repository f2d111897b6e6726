import type { ReportColumn, ReportTable } from './report-document.ts'
import { colours, page, styles, type ReportPages } from './report-page.ts'

const row_height = 15
const gap = 8

/** Draws a table; its header is repeated on every page. */
export function drawTable(pages: ReportPages, table: ReportTable): void {
  pages.reserve(20 + 3 * row_height)
  pages.text.write(table.title, { x: page.left, y: pages.y }, styles.heading)
  pages.y += 20
  if (table.rows.length === 0) {
    pages.text.write('Nothing in this period.', { x: page.left, y: pages.y }, styles.body)
    pages.y += row_height
    return
  }
  const places = placeColumns(table.columns)
  drawHeader(pages, places)
  for (const row of table.rows) {
    if (pages.reserve(row_height)) drawHeader(pages, places)
    for (const [at, { x, width, column }] of places.entries()) {
      const fit = { width, ...(column.align ? { align: column.align } : {}) }
      pages.text.write(row[at] ?? '', { x, y: pages.y + 2 }, styles.body, fit)
    }
    pages.y += row_height
    pages.pdf.moveTo(page.left, pages.y).lineTo(page.right, pages.y).lineWidth(0.4).stroke(colours.rule)
  }
  if (table.omitted === 0) return
  pages.reserve(row_height)
  pages.text.write(
    `${table.omitted} more rows are in the CSV file of the report.`,
    { x: page.left, y: pages.y + 4 },
    styles.label,
  )
  pages.y += row_height
}

interface PlacedColumn {
  readonly column: ReportColumn
  readonly x: number
  readonly width: number
}

function placeColumns(columns: readonly ReportColumn[]): PlacedColumn[] {
  const total = columns.reduce((sum, { weight }) => sum + weight, 0)
  const available = page.right - page.left - gap * (columns.length - 1)
  let x: number = page.left
  return columns.map((column) => {
    const width = (available * column.weight) / total
    const place = { column, x, width }
    x += width + gap
    return place
  })
}

function drawHeader(pages: ReportPages, places: readonly PlacedColumn[]): void {
  for (const { column, x, width } of places) {
    const fit = { width, ...(column.align ? { align: column.align } : {}) }
    pages.text.write(column.title, { x, y: pages.y + 2 }, { ...styles.label, weight: 700 }, fit)
  }
  pages.y += row_height
  pages.pdf.moveTo(page.left, pages.y).lineTo(page.right, pages.y).lineWidth(0.8).stroke(colours.muted)
}
