/** Text that a spreadsheet would evaluate as a formula, or that starts with the escape character. */
const formulaPrefix = /^[=+\-@'\t\r\n]/

/**
 * A cell according to RFC 4180. Null is an empty cell and an empty text is `""`, as in PostgreSQL's CSV. Text that a
 * spreadsheet would evaluate as a formula, or that starts with an apostrophe, is prefixed with an apostrophe.
 */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const escaped = formulaPrefix.test(value) ? `'${value}` : value
  return /^$|^\s|\s$|[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/** A row of CSV (RFC 4180) with its line end. */
export const formatCsvRow = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`
