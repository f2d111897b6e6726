import type { Database, DbConnection, SpatialSearchMode, Tx } from './database.ts'
import type { DatabaseDriver, DatabaseSession, DriverTransaction, StatementRunner } from './driver.ts'
import { DatabaseFailure } from './failures.ts'
import { type StatementPreparationPolicy, createStatementPreparationPolicy } from './statements/preparation-policy.ts'
import { registerDatabaseDriver, registerStatementRunner } from './raw.ts'
import type { Sql } from './sql.ts'
import { type ObservedStatement, statementDiagnosticsChannel } from './statements/observed-statements.ts'
import { type SqlStatementFactory, createStatementTextCache } from './statements/statement-texts.ts'
import { encodeStatementValues } from './values.ts'

/** Messages between the parts of one process that use the same open database. */
interface LocalChannels {
  publish(channel: string, message: string): void
  subscribe(channel: string, listener: (message: string) => void): () => void
}

function createLocalChannels(): LocalChannels {
  const listeners = new Map<string, Set<(message: string) => void>>()
  return {
    publish: (channel, message) => {
      for (const listener of listeners.get(channel) ?? []) listener(message)
    },
    subscribe: (channel, listener) => {
      const subscribed = listeners.get(channel) ?? new Set()
      listeners.set(channel, subscribed.add(listener))
      return () => void subscribed.delete(listener)
    },
  }
}

/** Called with errors that cannot be reported to a caller, such as an afterCommit callback that throws. */
export type OnBackgroundError = (error: unknown, activity: string) => void

const ownerSession: DatabaseSession = { role: 'owner', organization: null }
const unscopedSession: DatabaseSession = { role: 'across', organization: null }
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The state that all connections of an open database share. */
interface ConnectionContext {
  readonly driver: DatabaseDriver
  readonly onError: OnBackgroundError
  readonly preparation: StatementPreparationPolicy
  readonly createStatement: SqlStatementFactory
  readonly channels: LocalChannels
}

async function runQuery<Row>(
  { preparation, createStatement }: ConnectionContext,
  { runner, role }: { readonly runner: StatementRunner; readonly role: DatabaseSession['role'] },
  statement: Sql,
): Promise<Row[]> {
  const { text, values, prepared } = createStatement(statement)
  if (statementDiagnosticsChannel.hasSubscribers)
    statementDiagnosticsChannel.publish({ text, role } satisfies ObservedStatement)
  const result = await runner.run(text, encodeStatementValues(values), preparation(text, prepared))
  return result.rows as Row[]
}

/** Rejects every use of a transaction after its end. */
function guardEnded(transaction: DriverTransaction): { runner: StatementRunner; end: () => void } {
  let ended = false
  const check = (): void => {
    if (ended) throw new DatabaseFailure('transaction-over', 'the tx was used after its transaction had ended')
  }
  const runner: StatementRunner = {
    run: async (text, values, prepared) => {
      check()
      return transaction.run(text, values, prepared)
    },
    script: async (text, limit_ms) => {
      check()
      return transaction.script(text, limit_ms)
    },
  }
  return {
    runner,
    end: () => {
      ended = true
    },
  }
}

async function runTransaction<T>(
  context: ConnectionContext,
  session: DatabaseSession,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const transaction = await context.driver.begin(session)
  const { runner, end } = guardEnded(
    session.isSearch ? { ...transaction, ...createSearchRunner(transaction) } : transaction,
  )
  const target = { runner, role: session.role }
  const commitCallbacks: (() => void)[] = []
  const tx: Tx = {
    organization: session.organization,
    query: (statement) => runQuery(context, target, statement),
    afterCommit: (callback) => void commitCallbacks.push(callback),
    publish: (channel, message) => void commitCallbacks.push(() => context.channels.publish(channel, message)),
  }
  registerStatementRunner(tx, runner)
  let result: T
  try {
    result = await work(tx)
  } catch (error) {
    end()
    await transaction.rollback()
    throw error
  }
  end()
  await transaction.commit()
  for (const callback of commitCallbacks) {
    try {
      callback()
    } catch (error) {
      context.onError(error, 'an afterCommit callback failed')
    }
  }
  return result
}

const queryCanceled = '57014'

/** A timeout of a search has its own failure name: the search itself was too expensive. */
const throwAsSearchFailure = (error: unknown): never => {
  if (!(error instanceof Error) || !('code' in error) || error.code !== queryCanceled) throw error
  throw new DatabaseFailure('search-too-long', error.message, error)
}

const createSearchRunner = (runner: StatementRunner): StatementRunner => ({
  ...runner,
  run: (text, values, prepared) => runner.run(text, values, prepared).catch(throwAsSearchFailure),
})

function createConnection(context: ConnectionContext, session: DatabaseSession): DbConnection {
  const { driver } = context
  const runner = session.isSearch ? createSearchRunner(driver.on(session)) : driver.on(session)
  const target = { runner, role: session.role }
  const db: DbConnection = {
    organization: session.organization,
    query: (statement) => runQuery(context, target, statement),
    transaction: (work) => runTransaction(context, session, work),
  }
  registerStatementRunner(db, runner)
  return db
}

const requireUuid = (organization: string): string => {
  if (!uuid.test(organization)) throw new DatabaseFailure('bad-parameter', 'the id of an organization must be a UUID')
  return organization
}

/** Counts those of the two functions of item search that are leakproof, so that they may run before a policy. */
const countLeakproof = `
  select count(distinct p.proname) as marked
  from pg_catalog.pg_proc p
  join pg_catalog.pg_type one on one.oid = p.proargtypes[0] and one.typname = 'geometry'
  join pg_catalog.pg_type other on other.oid = p.proargtypes[1] and other.typname = 'geometry'
  where p.proleakproof and p.pronargs = 2 and p.proname in ('geometry_overlaps', 'st_intersects')`

async function readSpatialPolicy(runner: StatementRunner): Promise<SpatialSearchMode> {
  const { rows } = await runner.run(countLeakproof, [])
  return rows[0]?.['marked'] === 2 ? 'leakproof' : 'across'
}

/** Builds the database on a driver. */
export async function createDatabaseFromDriver(driver: DatabaseDriver, onError: OnBackgroundError): Promise<Database> {
  const channels = createLocalChannels()
  const context: ConnectionContext = {
    driver,
    onError,
    preparation: createStatementPreparationPolicy(),
    createStatement: createStatementTextCache(),
    channels,
  }
  const unscoped = createConnection(context, unscopedSession)
  const runner = driver.on(ownerSession)
  let spatialMode = await readSpatialPolicy(runner)
  const forOrganization: Database['forOrganization'] = (organization, work = 'calls') =>
    createConnection(context, {
      role: 'app',
      organization: requireUuid(organization),
      isBackground: work === 'background',
    })
  const database: Database = {
    kind: driver.kind,
    get spatial_policy() {
      return spatialMode
    },
    forOrganization,
    forItemSearch: (organization) =>
      createConnection(context, {
        role: spatialMode === 'leakproof' ? 'app' : 'across',
        organization: requireUuid(organization),
        isSearch: true,
      }),
    unscoped,
    runScript: async (text) => {
      const transaction = await driver.begin(ownerSession)
      try {
        await transaction.script(text)
      } catch (error) {
        await transaction.rollback()
        throw error
      }
      await transaction.commit()
    },
    refresh: async () => {
      spatialMode = await readSpatialPolicy(runner)
    },
    warmUp: async () => void (await runner.run(`select st_area('POLYGON((0 0,1 0,1 1,0 0))'::geometry)`, [])),
    subscribe: channels.subscribe,
    ping: async () => {
      await runner.run('select 1', [])
    },
    close: () => driver.close(),
  }
  registerDatabaseDriver(unscoped, driver, createConnection(context, ownerSession))
  return database
}
