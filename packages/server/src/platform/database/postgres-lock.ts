import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { DatabaseFailure } from './failures.ts'

/**
 * Runs `work` while an advisory lock is held, on a connection of its own: a pool of one connection would wait for itself.
 * The lock belongs to a transaction and not to the session, so that it holds behind a pooler, too. Throws
 * `database-unavailable` where the lock cannot be had within `timeout_ms`.
 */
export async function withAdvisoryLock<T>(
  connection: ClientConfig,
  key: bigint,
  timeout_ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = new Client(connection)
  // A connection that breaks meanwhile lets go of the lock; the next statement of `work` tells what became of the server.
  client.on('error', () => undefined)
  try {
    try {
      await client.connect()
      await client.query(
        `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = ${Math.trunc(timeout_ms)}`,
      )
      await client.query('select pg_advisory_xact_lock($1)', [key])
    } catch (error) {
      throw new DatabaseFailure('database-unavailable', 'the lock for the start of a process could not be had', error)
    }
    return await work()
  } finally {
    await client.end().catch(() => undefined)
  }
}
