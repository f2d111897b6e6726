import type { Database } from './database.ts'
import { driverOf } from './raw.ts'

/**
 * Calls `heard` with each payload that any process notifies on the channel, and `again` after each (re)connection, since what was
 * notified in between is lost. Hears nothing where only one process uses the database, or where connections are shared by a pooler.
 * Throws where the first connection fails. The answer ends it.
 */
export async function listenTo(
  database: Database,
  channel: string,
  heard: (payload: string) => void,
  again: () => void,
): Promise<() => Promise<void>> {
  const { listen } = driverOf(database)
  return listen ? listen(channel, heard, again) : () => Promise.resolve()
}
