import type { Database, Db, SpatialPolicy, Tx } from './database.ts'
import type { Driver, OpenTransaction, Runner, Session } from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { rememberDriver, rememberRunner } from './raw.ts'
import type { Sql } from './sql.ts'
import { statementOf } from './sql.ts'
import { encodeValue } from './values.ts'

/** Called with errors that cannot be reported to a caller, such as an afterCommit callback that throws. */
export type OnFault = (error: unknown, doing: string) => void

const owner: Session = { eyes: 'owner', organization: null }
const everybody: Session = { eyes: 'across', organization: null }
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

async function ask<Row>(runner: Runner, statement: Sql): Promise<Row[]> {
  const { text, values, kept } = statementOf(statement)
  const outcome = await runner.run(text, values.map(encodeValue), kept)
  return outcome.rows as Row[]
}

/** Rejects every use of a transaction after its end. */
function guardEnd(open: OpenTransaction): { runner: Runner; end: () => void } {
  let ended = false
  const check = (): void => {
    if (ended) throw new DatabaseFailure('transaction-over', 'the tx was used after its transaction had ended')
  }
  const runner: Runner = {
    run: async (text, values, kept) => {
      check()
      return open.run(text, values, kept)
    },
    script: async (text) => {
      check()
      return open.script(text)
    },
  }
  return {
    runner,
    end: () => {
      ended = true
    },
  }
}

async function transact<T>(
  driver: Driver,
  session: Session,
  work: (tx: Tx) => Promise<T>,
  onFault: OnFault,
): Promise<T> {
  const open = await driver.begin(session)
  const { runner, end } = guardEnd(session.isSearch ? { ...open, ...searchRunner(open) } : open)
  const afterwards: (() => void)[] = []
  const tx: Tx = {
    organization: session.organization,
    query: (statement) => ask(runner, statement),
    afterCommit: (later) => void afterwards.push(later),
  }
  rememberRunner(tx, runner)
  let result: T
  try {
    result = await work(tx)
  } catch (error) {
    end()
    await open.rollback()
    throw error
  }
  end()
  await open.commit()
  for (const later of afterwards) {
    try {
      later()
    } catch (error) {
      onFault(error, 'an afterCommit callback failed')
    }
  }
  return result
}

/** A timeout of a search has its own failure name: the search itself was too expensive. */
const searchFailure = (error: unknown): never => {
  if (!(error instanceof DatabaseFailure) || error.failure !== 'statement-too-long') throw error
  throw new DatabaseFailure('search-too-long', error.message, error)
}

const searchRunner = (runner: Runner): Runner => ({
  ...runner,
  run: (text, values, kept) => runner.run(text, values, kept).catch(searchFailure),
})

function handleFor(driver: Driver, session: Session, onFault: OnFault): Db {
  const runner = session.isSearch ? searchRunner(driver.on(session)) : driver.on(session)
  const db: Db = {
    organization: session.organization,
    query: (statement) => ask(runner, statement),
    transaction: (work) => transact(driver, session, work, onFault),
  }
  rememberRunner(db, runner)
  return db
}

const checked = (organization: string): string => {
  if (!uuid.test(organization)) throw new DatabaseFailure('bad-parameter', 'the id of an organization must be a UUID')
  return organization
}

/** How many of the two functions that item search uses are leakproof, so that they may run before a policy. */
const countLeakproof = `
  select count(distinct p.proname) as marked
  from pg_catalog.pg_proc p
  join pg_catalog.pg_type one on one.oid = p.proargtypes[0] and one.typname = 'geometry'
  join pg_catalog.pg_type other on other.oid = p.proargtypes[1] and other.typname = 'geometry'
  where p.proleakproof and p.pronargs = 2 and p.proname in ('geometry_overlaps', 'st_intersects')`

async function readSpatialPolicy(runner: Runner): Promise<SpatialPolicy> {
  const { rows } = await runner.run(countLeakproof, [])
  return rows[0]?.['marked'] === 2 ? 'leakproof' : 'across'
}

/** Builds the database on a driver. */
export async function makeDatabase(driver: Driver, onFault: OnFault): Promise<Database> {
  const across = handleFor(driver, everybody, onFault)
  const runner = driver.on(owner)
  let policy = await readSpatialPolicy(runner)
  const bound = (eyes: Session['eyes'], organization: string, isSearch = false): Db =>
    handleFor(driver, { eyes, organization: checked(organization), isSearch }, onFault)
  const of = (organization: string): Db => bound('app', organization)
  const database: Database = {
    kind: driver.kind,
    get spatial_policy() {
      return policy
    },
    of,
    searchOf: (organization) => bound(policy === 'leakproof' ? 'app' : 'across', organization, true),
    across,
    runScript: async (text) => {
      const open = await driver.begin(owner)
      try {
        await open.script(text)
      } catch (error) {
        await open.rollback()
        throw error
      }
      await open.commit()
    },
    refresh: async () => {
      policy = await readSpatialPolicy(runner)
    },
    warmUp: async () => void (await runner.run(`select st_area('POLYGON((0 0,1 0,1 1,0 0))'::geometry)`, [])),
    ping: async () => {
      await runner.run('select 1', [])
    },
    close: () => driver.close(),
  }
  rememberDriver(across, driver, handleFor(driver, owner, onFault))
  return database
}
