import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { entryOf, type JournalEntry } from './journal.ts'
import { entriesOfHold, findEntry } from './store.entries.ts'
import { findHoldOf, listOpenHolds } from './store.charges.ts'
import { findHold, linesOfHold, type ChargeLineRow, type HoldRow } from './store.holds.ts'

/** A hold with its charge lines and journal entries. */
export interface Charge {
  readonly hold: HoldRow
  readonly lines: readonly ChargeLineRow[]
  readonly entries: readonly JournalEntry[]
}

/** Returns null if the hold does not exist. */
export async function readCharge(db: Queryable, organization: string, hold_id: string): Promise<Charge | null> {
  const hold = await findHold(db, organization, hold_id)
  if (hold === null) return null
  const lines = await linesOfHold(db, organization, hold.id)
  const entries = await entriesOfHold(db, organization, hold.id)
  return { hold, lines, entries: entries.map(entryOf) }
}

/** Open holds with this reference type that were created before a time, oldest first. */
export const openHoldsOf = (
  db: Queryable,
  organization: string,
  type: string,
  { before, limit }: { before: OrganizationTime; limit: number },
): Promise<{ id: string; reference_id: string }[]> => listOpenHolds(db, organization, type, before, limit)

/** The id of the newest hold for a reference, such as a job; null if there is none. */
export const holdOf = (db: Queryable, organization: string, type: string, id: string): Promise<string | null> =>
  findHoldOf(db, organization, type, id)

/** Reads one journal entry by its id. */
export async function readEntry(db: Queryable, organization: string, id: string): Promise<JournalEntry | null> {
  const row = await findEntry(db, organization, id)
  return row && entryOf(row)
}
