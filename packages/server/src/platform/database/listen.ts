import type { Database } from './database.ts'
import { getDatabaseDriver } from './raw.ts'

/**
 * Calls `onNotification` with each payload that any process sends on the channel, and `onConnect` after each
 * (re)connection, since notifications in between are lost. Does nothing if only one process uses the database, or behind a
 * connection pooler. Throws if the first connection fails. The returned function stops listening.
 */
export async function listenToChannel(
  database: Database,
  channel: string,
  onNotification: (payload: string) => void,
  onConnect: () => void,
): Promise<() => Promise<void>> {
  const { listen } = getDatabaseDriver(database)
  return listen ? listen(channel, onNotification, onConnect) : () => Promise.resolve()
}
