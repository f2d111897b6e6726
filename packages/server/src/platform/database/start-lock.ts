import type { Database } from './database.ts'
import { driverOf } from './raw.ts'

/** An arbitrary constant that no other advisory lock uses while this one is held. */
const startLock = 7_221_094_158_302_003n

/**
 * Runs the initialization of a first start (schema, queue, signing keys, administrator) in one process at a time: pg-boss
 * fails if two processes create its schema at once.
 */
export function withStartLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const { exclusively } = driverOf(database)
  return exclusively ? exclusively(startLock, work) : work()
}
