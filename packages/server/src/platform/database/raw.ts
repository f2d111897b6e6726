import type { Database, Db, Tx } from './database.ts'
import type { Driver, Runner } from './driver.ts'

/**
 * The way past the `sql` tag, for machinery that brings its own statements (the queue's library, migration files, the schema printer).
 * Only `platform/database` and `platform/queue` may import this file.
 */
const runners = new WeakMap<Db | Tx, Runner>()
const drivers = new WeakMap<Db, Driver>()
const owners = new WeakMap<Db, Db>()

export const rememberRunner = (handle: Db | Tx, runner: Runner): void => {
  runners.set(handle, runner)
}

/** The runner behind a handle. */
export function runnerOf(handle: Db | Tx): Runner {
  const runner = runners.get(handle)
  if (!runner) throw new Error('the handle was not made by platform/database')
  return runner
}

export const rememberDriver = (across: Db, driver: Driver, owner: Db): void => {
  drivers.set(across, driver)
  owners.set(across, owner)
}

/** The handle of whoever signed in, for the schema: the role that owns it, unless that one has an address of its own. */
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
