import type { Database, DbConnection, Tx } from './database.ts'
import type { DatabaseDriver, StatementRunner } from './driver.ts'

/**
 * Access without the `sql` tag, for infrastructure with its own SQL text (pg-boss, migration files, the schema printer).
 * Only `platform/database` and `platform/queue` may import this file.
 */
const runners = new WeakMap<DbConnection | Tx, StatementRunner>()
const drivers = new WeakMap<DbConnection, DatabaseDriver>()
const owners = new WeakMap<DbConnection, DbConnection>()

export const registerStatementRunner = (connection: DbConnection | Tx, runner: StatementRunner): void => {
  runners.set(connection, runner)
}

/** The statement runner behind a connection. */
export function getStatementRunner(connection: DbConnection | Tx): StatementRunner {
  const runner = runners.get(connection)
  if (!runner) throw new Error('the connection was not created by platform/database')
  return runner
}

export const registerDatabaseDriver = (unscoped: DbConnection, driver: DatabaseDriver, owner: DbConnection): void => {
  drivers.set(unscoped, driver)
  owners.set(unscoped, owner)
}

/** The connection of the role that signed in, for schema changes: the owner of the schema, unless it has its own URL. */
export function getSchemaOwnerConnection(database: Database): DbConnection {
  const owner = owners.get(database.unscoped)
  if (!owner) throw new Error('the database was not opened by platform/database')
  return owner
}

/** The driver behind a database. */
export function getDatabaseDriver(database: Database): DatabaseDriver {
  const driver = drivers.get(database.unscoped)
  if (!driver) throw new Error('the database was not opened by platform/database')
  return driver
}
