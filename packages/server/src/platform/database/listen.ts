import type { Database } from './database.ts'
import { driverOf } from './raw.ts'

/**
 * Calls `onNotification` with each payload that any process sends on the channel, and `onConnect` after each
 * (re)connection, since notifications in between are lost. Does nothing if only one process uses the database, or behind a
 * connection pooler. Throws if the first connection fails. The returned function stops listening.
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
