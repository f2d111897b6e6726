import type { Database } from './database.ts'
import { driverOf } from './raw.ts'

/** Any constant will do, as long as nothing else in the database locks it while this one is held. */
const startLock = 7_221_094_158_302_003n

/**
 * Runs what a first start makes (schema, queue, signing keys, administrator) in one process after the other: the queue's
 * library fails where two make its schema at once.
 */
export function withStartLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { exclusively } = driverOf(database)
  return exclusively ? exclusively(startLock, work) : work()
}
