import { day_ms } from '@swath/geo/time-units.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { findLowestIdBefore, newId } from '../../platform/ids.ts'
import {
  findNumberedEventsEndId,
  findUnnumberedEvent,
  updateEventNumbers,
  updateLastNumberedEventId,
} from './store.sequence.ts'

/** An event is visible sooner after its id was made: transactions are shorter than a day, and clocks differ by less than another. */
const max_delay_ms = 2 * day_ms

/**
 * The lowest id of an event that can be numbered after the event with this id, or after now: only visible events are
 * numbered.
 */
export const findLowestIdNumberedAfter = (id: string = newId()): string => findLowestIdBefore(id, max_delay_ms)

/** Numbers the events that were committed since the last time, so that readers can follow them in this order. */
export async function assignEventNumbers(db: DbConnection, organization: string): Promise<void> {
  const until = await findNumberedEventsEndId(db, organization)
  let next_until: string
  for (;;) {
    next_until = findLowestIdNumberedAfter()
    const from = await findUnnumberedEvent(db, organization, until)
    if (from === null) break
    await db.transaction((tx) => updateEventNumbers(tx, organization, from))
  }
  // Written once a day.
  if (until === null || until < findLowestIdBefore(next_until, day_ms))
    await updateLastNumberedEventId(db, organization, next_until)
}
