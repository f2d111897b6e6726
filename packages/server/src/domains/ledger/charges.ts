import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { toJournalEntry, type StoredJournalEntry } from './journal.ts'
import { listJournalEntriesOfHold, findJournalEntry } from './store.entries.ts'
import { findCreditHold, listChargeLinesOfHold, type ChargeLineRow, type CreditHoldRow } from './store.holds.ts'

/** A hold with its charge lines and journal entries. */
export interface ChargeWithEntries {
  readonly hold: CreditHoldRow
  readonly lines: readonly ChargeLineRow[]
  readonly entries: readonly StoredJournalEntry[]
}

/** Returns null if the hold does not exist. */
export async function readChargeOfHold(
  db: SqlStatementRunner,
  organization: string,
  hold_id: string,
): Promise<ChargeWithEntries | null> {
  const hold = await findCreditHold(db, organization, hold_id)
  if (hold === null) return null
  const lines = await listChargeLinesOfHold(db, organization, hold.id)
  const entries = await listJournalEntriesOfHold(db, organization, hold.id)
  return { hold, lines, entries: entries.map(toJournalEntry) }
}

/** Reads one journal entry by its id. */
export async function readJournalEntry(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<StoredJournalEntry | null> {
  const row = await findJournalEntry(db, organization, id)
  return row && toJournalEntry(row)
}
