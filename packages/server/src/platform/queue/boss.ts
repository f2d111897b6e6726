import { AsyncLocalStorage } from 'node:async_hooks'
import { PgBoss } from 'pg-boss'
import type { Db as BossDatabase } from 'pg-boss'
import type { Database, Tx } from '../database/database.ts'
import type { StatementResult, StatementRunner } from '../database/driver.ts'
import { getDatabaseDriver, getStatementRunner } from '../database/raw.ts'
import { encodeSqlParameter } from '../database/values.ts'
import type { QueueLog } from './queue.ts'

/** The schema of pg-boss. */
export const pgBossSchema = 'boss'

/**
 * An ambient context, the only one beside the current span: the transaction that a pg-boss call belongs to. pg-boss looks up its queues on
 * its own connection even if a connection is passed for the insert, which would deadlock on a database with a single
 * connection.
 */
const currentTx = new AsyncLocalStorage<Tx>()

/** Runs a pg-boss call so that all its statements are part of `tx`. */
export const runPgBossInTransaction = <T>(tx: Tx, work: () => Promise<T>): Promise<T> => currentTx.run(tx, work)

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const encodeParameter = (value: unknown): string | null =>
  encodeSqlParameter(isPlainObject(value) ? JSON.stringify(value) : value)

/** A script may change the settings of its connection, which are then set again: not so a text that is one statement. */
async function executeStatement(
  runner: StatementRunner,
  text: string,
  values: readonly unknown[],
): Promise<StatementResult[]> {
  return values.length > 0 || !text.includes(';')
    ? [await runner.run(text, values.map(encodeParameter))]
    : runner.script(text)
}

/**
 * The database interface of pg-boss: statements join the transaction in which they are called; all others use
 * `defaultRunner`.
 */
export function createPgBossDatabase(defaultRunner: StatementRunner): BossDatabase {
  return {
    executeSql: async (text, values = []) => {
      const tx = currentTx.getStore()
      if (tx && /^\s*begin\b/i.test(text)) throw new Error('the queue must not open a transaction inside another one')
      const outcomes = await executeStatement(tx ? getStatementRunner(tx) : defaultRunner, text, values)
      return { rows: outcomes.flatMap((outcome) => outcome.rows) }
    },
  }
}

/** Opens pg-boss on our database, whose schema exists (`queue-schema.ts`), with all of its timers disabled. */
export async function openPgBoss(database: Database, log: QueueLog | undefined): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: pgBossSchema,
    db: createPgBossDatabase(getStatementRunner(database.unscoped)),
    backend: getDatabaseDriver(database).queue_backend,
    migrate: false,
    supervise: false,
    schedule: false,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log?.error({ error }, 'the queue failed'))
  boss.on('warning', (warning) => log?.warn({ warning }, 'warning of the queue'))
  try {
    await boss.start()
    return boss
  } catch (error) {
    // Its timers would keep the process alive.
    await boss.stop({ graceful: false, close: false }).catch(() => undefined)
    throw error
  }
}
