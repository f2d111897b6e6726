import type { Database } from './database.ts'
import { getDatabaseDriver } from './raw.ts'

/** An arbitrary constant that no other advisory lock uses while this one is held. */
const start_lock_key = 7_221_094_158_302_003n

/**
 * Runs the initialization of a first start (schema, queue, signing keys, administrator) in one process at a time: pg-boss
 * fails if two processes create its schema at once.
 */
export function withStartLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { withLock } = getDatabaseDriver(database)
  return withLock ? withLock(start_lock_key, work) : work()
}
