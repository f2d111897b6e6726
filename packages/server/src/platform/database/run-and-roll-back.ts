import type { DbConnection, Tx } from './database.ts'
import { sql } from './sql.ts'

/** Carries the result out of a transaction that it rolls back. */
class RolledBack<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('the transaction of a dry run is rolled back')
    this.result = result
  }
}

/** Does the work in a transaction, checks its deferred constraints, reads the written rows, and rolls it back. */
export async function runAndRollBack<T>(
  db: DbConnection,
  work: (tx: Tx) => Promise<T>,
  inspect: (tx: Tx) => Promise<void>,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      await tx.query(sql`set constraints all immediate`)
      await inspect(tx)
      throw new RolledBack(result)
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}
