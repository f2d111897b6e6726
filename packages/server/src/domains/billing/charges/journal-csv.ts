import type { JournalLine } from '../../ledger/journal.ts'

/** Members of an entry, in the order of its columns; they are said again on every posting of the entry. */
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
] as const satisfies readonly (keyof JournalLine)[]

const postingColumns = ['line', 'account', 'lot_id', 'posting_credits'] as const

const rowOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const csvHeader = rowOf([...entryColumns, ...postingColumns])

/** Where a table program would see a formula. */
const formula = /^[=+\-@'\t\r\n]/

/**
 * A cell after RFC 4180. No value at all is an empty cell, an empty text is `""`, as PostgreSQL writes them. A text that
 * a table program would run as a formula begins with an apostrophe; so does one that begins with one.
 */
function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const guarded = formula.test(value) ? `'${value}` : value
  return /^$|^\s|\s$|[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** An entry as rows, one for each of its postings. */
export function csvOf(entry: JournalLine): string {
  const head = entryColumns.map((column) => cellOf(entry[column]))
  return entry.postings
    .map(({ account, lot_id, amount_credits }, index) =>
      rowOf([...head, ...[index + 1, account, lot_id, amount_credits].map(cellOf)]),
    )
    .join('')
}
