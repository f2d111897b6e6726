import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, testDatabaseUrl } from '../../../test/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { listenToChannel } from '../../platform/database/listen.ts'
import { getSchemaOwnerConnection } from '../../platform/database/raw.ts'
import { publishPrincipalChange } from './principal-changes.ts'
import { principalChangesChannel, listRecentPrincipalChanges } from './store.principal-changes.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

const publish = (subject: `key:${string}`, rolledBack = false): Promise<void> =>
  database.unscoped.transaction(async (tx) => {
    await publishPrincipalChange(tx, subject)
    if (rolledBack) throw new Error('rolled back')
  })

test('a committed change is stored for polling, a rolled back one is not', async () => {
  await assert.rejects(publish('key:never', true), /rolled back/)
  await publish('key:kept')
  const subjects = (await listRecentPrincipalChanges(database.unscoped)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['key:kept'])
})

/** The embedded database belongs to one process and needs no notifications. */
if (testDatabaseUrl() !== null) {
  test('a listener receives committed changes in order and no rolled back ones, also after a reconnect', async () => {
    const received: string[] = []
    const waiters: (() => void)[] = []
    const notifyWaiters = (): void => waiters.splice(0).forEach((resolve) => resolve())
    let connections = 0
    const close = await listenToChannel(
      database,
      principalChangesChannel,
      (subject) => (received.push(subject), notifyWaiters()),
      () => (connections++, notifyWaiters()),
    )
    const waitUntil = async (isReached: () => boolean): Promise<void> => {
      while (!isReached()) await new Promise<void>((resolve) => waiters.push(resolve))
    }
    try {
      await publish('key:one')
      await assert.rejects(publish('key:never', true), /rolled back/)
      await publish('key:two')
      await waitUntil(() => received.length >= 2)
      await getSchemaOwnerConnection(database).query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`)
      await waitUntil(() => connections === 2)
      await publish('key:three')
      await waitUntil(() => received.length >= 3)
      assert.deepEqual(received, ['key:one', 'key:two', 'key:three'])
    } finally {
      await close()
    }
  })
}
