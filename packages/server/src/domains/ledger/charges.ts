import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { entryOf, type JournalEntry } from './journal.ts'
import { entriesOfHold, findEntry } from './store.entries.ts'
import { findHoldOf, listOpenHolds } from './store.charges.ts'
import { findHold, linesOfHold, type ChargeLineRow, type HoldRow } from './store.holds.ts'

/** All that is known of a charge. */
export interface Charge {
  readonly hold: HoldRow
  readonly lines: readonly ChargeLineRow[]
  readonly entries: readonly JournalEntry[]
}

/** Null where there is no such hold. */
export async function readCharge(db: Queryable, organization: string, hold_id: string): Promise<Charge | null> {
  const hold = await findHold(db, organization, hold_id)
  if (hold === null) return null
  const lines = await linesOfHold(db, organization, hold.id)
  const entries = await entriesOfHold(db, organization, hold.id)
  return { hold, lines, entries: entries.map(entryOf) }
}

/** Holds of one kind of thing that were made before a moment and are open, the oldest first. */
export const openHoldsOf = (
  db: Queryable,
  organization: string,
  type: string,
  { before, limit }: { before: OrganizationTime; limit: number },
): Promise<{ id: string; reference_id: string }[]> => listOpenHolds(db, organization, type, before, limit)

/** The newest hold for something, such as a job; null where nothing was held for it. */
export const holdOf = (db: Queryable, organization: string, type: string, id: string): Promise<string | null> =>
  findHoldOf(db, organization, type, id)

/** One entry of the journal by its id. */
export async function readEntry(db: Queryable, organization: string, id: string): Promise<JournalEntry | null> {
  const row = await findEntry(db, organization, id)
  return row && entryOf(row)
}
