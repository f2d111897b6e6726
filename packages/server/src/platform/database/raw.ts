import type { Database, Db, Tx } from './database.ts'
import type { Driver, Runner } from './driver.ts'

/**
 * Access without the `sql` tag, for infrastructure with its own SQL text (pg-boss, migration files, the schema printer).
 * Only `platform/database` and `platform/queue` may import this file.
 */
const runners = new WeakMap<Db | Tx, Runner>()
const drivers = new WeakMap<Db, Driver>()
const owners = new WeakMap<Db, Db>()

export const rememberRunner = (handle: Db | Tx, runner: Runner): void => {
  runners.set(handle, runner)
}

/** The statement runner behind a connection. */
export function runnerOf(handle: Db | Tx): Runner {
  const runner = runners.get(handle)
  if (!runner) throw new Error('the connection was not created by platform/database')
  return runner
}

export const rememberDriver = (across: Db, driver: Driver, owner: Db): void => {
  drivers.set(across, driver)
  owners.set(across, owner)
}

/** The connection of the role that signed in, for schema changes: the owner of the schema, unless it has its own URL. */
export function ownerOf(database: Database): Db {
  const owner = owners.get(database.across)
  if (!owner) throw new Error('the database was not opened by platform/database')
  return owner
}

/** The driver behind a database. */
export function driverOf(database: Database): Driver {
  const driver = drivers.get(database.across)
  if (!driver) throw new Error('the database was not opened by platform/database')
  return driver
}
