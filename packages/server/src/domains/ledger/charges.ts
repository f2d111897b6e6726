import type { Queryable } from '../../platform/database/database.ts'
import { toJournalEntry, type StoredJournalEntry } from './journal.ts'
import { listEntriesOfHold, findJournalEntry } from './store.entries.ts'
import { selectLatestHoldId } from './store.charges.ts'
import { findHold, listLinesOfHold, type ChargeLineRow, type HoldRow } from './store.holds.ts'

/** A hold with its charge lines and journal entries. */
export interface Charge {
  readonly hold: HoldRow
  readonly lines: readonly ChargeLineRow[]
  readonly entries: readonly StoredJournalEntry[]
}

/** Returns null if the hold does not exist. */
export async function readCharge(db: Queryable, organization: string, hold_id: string): Promise<Charge | null> {
  const hold = await findHold(db, organization, hold_id)
  if (hold === null) return null
  const lines = await listLinesOfHold(db, organization, hold.id)
  const entries = await listEntriesOfHold(db, organization, hold.id)
  return { hold, lines, entries: entries.map(toJournalEntry) }
}

/** The id of the newest hold for a reference, such as a job; null if there is none. */
export const findHoldIdByReference = (
  db: Queryable,
  organization: string,
  type: string,
  id: string,
): Promise<string | null> => selectLatestHoldId(db, organization, type, id)

/** Reads one journal entry by its id. */
export async function readJournalEntry(
  db: Queryable,
  organization: string,
  id: string,
): Promise<StoredJournalEntry | null> {
  const row = await findJournalEntry(db, organization, id)
  return row && toJournalEntry(row)
}
