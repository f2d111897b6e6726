import { formatCsvRow } from '../../../engine/csv.ts'
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

export const journalCsvHeader = formatCsvRow([...entryColumns, ...postingColumns])

/** The rows of an entry, one per posting. */
export function toJournalCsvRows(entry: ExportedJournalEntry): string {
  const head = entryColumns.map((column) => entry[column])
  return entry.postings
    .map(({ account, lot_id, amount_credits }, index) =>
      formatCsvRow([...head, index + 1, account, lot_id, amount_credits]),
    )
    .join('')
}
