import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { DatabaseFailure } from './failures.ts'

/**
 * Runs `work` while holding an advisory lock, on its own connection: a pool with one connection would wait for itself. The
 * lock belongs to a transaction, not to the session, so it also holds behind a connection pooler. Throws
 * `database-unavailable` if the lock is not acquired within `timeout_ms`.
 */
export async function withAdvisoryLock<T>(
  connection: ClientConfig,
  key: bigint,
  timeout_ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = new Client(connection)
  // A connection that breaks releases the lock; the next statement of `work` fails if the server is down.
  client.on('error', () => undefined)
  try {
    try {
      await client.connect()
      await client.query(
        `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = ${Math.trunc(timeout_ms)}`,
      )
      await client.query('select pg_advisory_xact_lock($1)', [key])
    } catch (error) {
      throw new DatabaseFailure('database-unavailable', 'the startup lock could not be acquired', error)
    }
    return await work()
  } finally {
    await client.end().catch(() => undefined)
  }
}
