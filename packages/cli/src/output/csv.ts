import { flattenRow, type Row } from './rows.ts'

/** Rows as CSV (RFC 4180), with all members that any row has. */
export function printCsv(rows: readonly Row[]): string {
  const flat = rows.map((row) => flattenRow(row))
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  return [names, ...flat.map((row) => names.map((name) => row[name]))]
    .map((cells) => `${cells.map(toCell).join(',')}\r\n`)
    .join('')
}

/** A text that a spreadsheet program would run as a formula has an apostrophe in front, as in exports of the platform. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
