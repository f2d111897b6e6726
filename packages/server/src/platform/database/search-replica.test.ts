import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, DbConnection } from './database.ts'
import { DatabaseFailure, StatementError } from './failures.ts'
import { parseWalPosition, withSearchReplica } from './search-replica.ts'
import { type Sql, sql } from './sql.ts'

const organization = '0190b5c4-0000-7000-8000-000000000001'
const search = sql`select 'found' as item`

/** A server whose log is at `position`; `fail` makes its searches throw. */
interface FakeServer {
  position: string
  isReplica: boolean
  fail: Error | null
  searches: number
  closed: boolean
}

const createServer = (isReplica: boolean): FakeServer => ({
  position: '0/100',
  isReplica,
  fail: null,
  searches: 0,
  closed: false,
})

function openServer(server: FakeServer): Database {
  const query = async (statement: Sql): Promise<unknown[]> => {
    if (statement !== search)
      return [{ position: statement.strings.join('').includes('replay') && !server.isReplica ? null : server.position }]
    if (server.fail) throw server.fail
    server.searches++
    return [{ item: 'found' }]
  }
  const connection = { organization, query, transaction: () => Promise.reject(new Error('unused')) }
  return {
    forItemSearch: () => connection as unknown as DbConnection,
    refresh: async () => undefined,
    close: async () => void (server.closed = true),
  } as unknown as Database
}

interface Fixture {
  readonly primary: FakeServer
  readonly replica: FakeServer
  readonly database: Database
  readonly warnings: string[]
  /** Milliseconds that passed; a sleep advances them and calls `onSleep`. */
  time_ms: number
  onSleep: () => void
  opened: number
}

function createFixture(open?: () => Promise<Database>): Fixture {
  const [primary, replica] = [createServer(false), createServer(true)]
  const fixture = {
    primary,
    replica,
    warnings: [],
    time_ms: 0,
    onSleep: () => undefined,
    opened: 0,
  } as unknown as Fixture
  const database = withSearchReplica(openServer(primary), {
    open: async () => {
      fixture.opened++
      return open ? open() : openServer(replica)
    },
    log: { warn: (_fields, message) => void fixture.warnings.push(message) },
    clock_ms: () => fixture.time_ms,
    sleep: async (ms) => {
      fixture.time_ms += ms
      fixture.onSleep()
    },
  })
  return Object.assign(fixture, { database })
}

const runSearch = ({ database }: Fixture): Promise<unknown[]> => database.forItemSearch(organization).query(search)
const counts = ({ primary, replica }: Fixture): number[] => [primary.searches, replica.searches]

test('positions of the log are compared as numbers', () => {
  assert.equal(parseWalPosition('0/FF'), 255n)
  assert.equal(parseWalPosition('16/B374D848'), 0x16b374d848n)
  assert.ok(parseWalPosition('10/0') > parseWalPosition('9/FFFFFFFF'))
})

test('a search runs on the replica once it has replayed the committed changes', async () => {
  const fixture = createFixture()
  assert.deepEqual(await runSearch(fixture), [{ item: 'found' }])
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [0, 2])
  assert.equal(fixture.opened, 1)
})

test('a search waits for a replica that is shortly behind', async () => {
  const fixture = createFixture()
  fixture.primary.position = '0/200'
  fixture.onSleep = () => (fixture.replica.position = '0/200')
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [0, 1])
})

test('a search after a write runs on the primary if the replica is further behind, and the next one does not wait', async () => {
  const fixture = createFixture()
  fixture.primary.position = '0/200'
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [1, 0])
  assert.equal(fixture.time_ms, 20)
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [2, 0])
  assert.equal(fixture.time_ms, 20)
  fixture.replica.position = '0/200'
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [2, 1])
})

test('a failing replica is replaced by the primary and tried again after five seconds', async () => {
  const fixture = createFixture()
  fixture.replica.fail = new DatabaseFailure('outcome-unknown', 'the connection was lost')
  assert.deepEqual(await runSearch(fixture), [{ item: 'found' }])
  fixture.replica.fail = null
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [2, 0])
  assert.equal(fixture.warnings.length, 1)
  fixture.time_ms += 5001
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [2, 1])
})

test('a replica that cannot be opened is opened again later', async () => {
  let isUp = false
  const late = createServer(true)
  const fixture = createFixture(async () => {
    if (!isUp) throw new DatabaseFailure('database-unavailable', 'no connection')
    return openServer(late)
  })
  await runSearch(fixture)
  isUp = true
  fixture.time_ms += 5001
  await runSearch(fixture)
  assert.deepEqual([fixture.opened, fixture.primary.searches, late.searches], [2, 1, 1])
})

test('a search that the replica cancels in favour of the recovery runs on the primary, which is not a failure', async () => {
  const fixture = createFixture()
  fixture.replica.fail = new StatementError({
    code: '40001',
    message: 'canceling statement due to conflict with recovery',
  })
  await runSearch(fixture)
  assert.deepEqual([...counts(fixture), fixture.warnings.length], [1, 0, 0])
})

test('a search that takes too long is not repeated on the primary', async () => {
  const fixture = createFixture()
  fixture.replica.fail = new DatabaseFailure('search-too-long', 'the search ran longer than 5000 ms')
  await assert.rejects(runSearch(fixture), { failure: 'search-too-long' })
  assert.deepEqual(counts(fixture), [0, 0])
})

test('a server that is no replica, or was promoted, is not used', async () => {
  const fixture = createFixture()
  fixture.replica.isReplica = false
  await runSearch(fixture)
  assert.deepEqual(counts(fixture), [1, 0])
})

test('closing closes both servers', async () => {
  const fixture = createFixture()
  await runSearch(fixture)
  await fixture.database.close()
  assert.deepEqual([fixture.primary.closed, fixture.replica.closed], [true, true])
})
