import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { createManualClock } from '../../../platform/clock.ts'
import type { Database, DbConnection } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import type { Principal } from '../../../engine/call.ts'
import { createApiKeyUsageRecorder } from './api-key-last-used.ts'

const start = new Date('2030-06-01T12:00:00Z')

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

interface KeyOfOrganization {
  readonly organization: string
  readonly id: string
}

async function insertKey(organization: string): Promise<KeyOfOrganization> {
  const id = newId()
  await database.unscoped.query(sql`
    insert into api_keys (organization_id, id, name, prefix, last_four, permissions, created_by, created_at)
    values (${organization}, ${id}, 'Key', 'test', '1234', '{}', ${newId()}, now())`)
  return { organization, id }
}

const toPrincipal = ({ organization, id }: KeyOfOrganization): Principal => ({
  kind: 'api_key',
  id,
  user: null,
  organization,
  role: null,
  scopes: [],
  administrator: false,
})

async function readLastUsed({ organization, id }: KeyOfOrganization): Promise<Date | null> {
  const [row] = await database.unscoped.query<{ last_used_at: Date | null }>(sql`
    select last_used_at from api_keys where organization_id = ${organization} and id = ${id}`)
  return row!.last_used_at
}

test('a flush writes the last use of keys of several organizations, each in its own', async () => {
  const clock = createManualClock(start)
  const usage = createApiKeyUsageRecorder(database.unscoped, clock)
  const [one, other] = [newId(), newId()]
  const [first, second, third, unused] = [
    await insertKey(one),
    await insertKey(one),
    await insertKey(other),
    await insertKey(other),
  ]
  usage.record(toPrincipal(first), null)
  // The organization does not have this key.
  usage.record(toPrincipal({ organization: one, id: unused.id }), null)
  clock.advance(1000)
  const now = clock.now()
  for (const key of [second, third]) usage.record(toPrincipal(key), null)
  await usage.flush()
  const earlier = new Date(now.getTime() - 1000)
  for (const [key, time] of [
    [first, earlier],
    [second, now],
    [third, now],
    [unused, null],
  ] as const)
    assert.deepEqual(await readLastUsed(key), time)
})

test('uses of all organizations that could not be written are written by the next flush', async () => {
  const clock = createManualClock(start)
  let isBroken = true
  const connection: DbConnection = {
    ...database.unscoped,
    transaction: (work) =>
      isBroken ? Promise.reject(new Error('the connection was lost')) : database.unscoped.transaction(work),
  }
  const usage = createApiKeyUsageRecorder(connection, clock)
  const keys = [await insertKey(newId()), await insertKey(newId())]
  for (const key of keys) usage.record(toPrincipal(key), null)
  await assert.rejects(usage.flush(), /connection was lost/)
  isBroken = false
  await usage.flush()
  for (const key of keys) assert.deepEqual(await readLastUsed(key), clock.now())
})
