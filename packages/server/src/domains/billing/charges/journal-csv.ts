import { formatCsvRow } from '../../../engine/csv.ts'
import { hashedJournalEntryMembers } from '../../ledger/chain.ts'
import type { ExportedJournalEntry } from '../../ledger/journal.ts'

/** The columns of an entry in order; they are repeated for every posting of the entry. */
const entryColumns = [...hashedJournalEntryMembers, 'previous_hash', 'hash'] as const

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
