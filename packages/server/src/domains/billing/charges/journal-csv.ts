import type { ExportedJournalEntry } from '../../ledger/journal.ts'

/** The columns of an entry in order; they are repeated for every posting of the entry. */
const entryColumns = [
  'organization_id',
  'position',
  'id',
  'kind',
  'amount_credits',
  'available_after_credits',
  'held_after_credits',
  'reference_type',
  'reference_id',
  'hold_id',
  'actor_kind',
  'actor_id',
  'operation',
  'request_id',
  'idempotency_key',
  'note',
  'created_at',
  'previous_hash',
  'hash',
] as const satisfies readonly (keyof ExportedJournalEntry)[]

const postingColumns = ['line', 'account', 'lot_id', 'posting_credits'] as const

const csvRow = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const csvHeader = csvRow([...entryColumns, ...postingColumns])

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

/** The rows of an entry, one per posting. */
export function toCsvRows(entry: ExportedJournalEntry): string {
  const head = entryColumns.map((column) => csvCell(entry[column]))
  return entry.postings
    .map(({ account, lot_id, amount_credits }, index) =>
      csvRow([...head, ...[index + 1, account, lot_id, amount_credits].map(csvCell)]),
    )
    .join('')
}
