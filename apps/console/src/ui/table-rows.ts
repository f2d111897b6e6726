/** The value by which a cell is sorted and searched, and that a CSV file contains. */
export type CellValue = string | number | null

/** A column that has values. */
export interface ValueColumn<Row> {
  readonly title: string
  readonly value: (row: Row) => CellValue
}

/** The column that rows are sorted by. */
export interface RowSort {
  readonly title: string
  readonly isDescending: boolean
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Numbers before texts, and cells without a value last in both directions. */
function compareCells(a: CellValue, b: CellValue, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
  return isDescending ? -order : order
}

/** The rows in the order of a column; as they are without one. Rows with equal values keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly ValueColumn<Row>[],
  sort: RowSort | null,
): readonly Row[] {
  const column = sort && columns.find(({ title }) => title === sort.title)
  if (!column) return rows
  return rows.toSorted((a, b) => compareCells(column.value(a), column.value(b), sort.isDescending))
}

/** The rows of which a cell contains each of the words, whatever their case. */
export function searchRows<Row>(
  rows: readonly Row[],
  columns: readonly ValueColumn<Row>[],
  text: string,
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const cells = columns.map(({ value }) => String(value(row) ?? '').toLowerCase())
    return words.every((word) => cells.some((cell) => cell.includes(word)))
  })
}

/** An apostrophe keeps a spreadsheet from running a text as a formula, as OWASP advises. */
const quoteCell = (value: CellValue): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The rows as CSV (RFC 4180), with the titles of the columns in its first line. */
export function formatCsv<Row>(rows: readonly Row[], columns: readonly ValueColumn<Row>[]): string {
  const lines = [
    columns.map(({ title }) => quoteCell(title)),
    ...rows.map((row) => columns.map(({ value }) => quoteCell(value(row)))),
  ]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}
