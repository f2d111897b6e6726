import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase, testServer } from '../../../test/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { listenTo } from '../../platform/database/listen.ts'
import { ownerOf } from '../../platform/database/raw.ts'
import { announceChange } from './changes.ts'
import { changesChannel, listRecentChanges } from './store.changes.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

const announce = (subject: `key:${string}`, rolledBack = false): Promise<void> =>
  database.across.transaction(async (tx) => {
    await announceChange(tx, subject)
    if (rolledBack) throw new Error('rolled back')
  })

test('a committed change is stored for polling, a rolled back one is not', async () => {
  await assert.rejects(announce('key:never', true), /rolled back/)
  await announce('key:kept')
  const subjects = (await listRecentChanges(database.across)).map(({ subject }) => subject)
  assert.deepEqual(subjects, ['key:kept'])
})

/** The embedded database belongs to one process and needs no notifications. */
if (testServer() !== null) {
  test('a listener receives committed changes in order and no rolled back ones, also after a reconnect', async () => {
    const heard: string[] = []
    const waiting: (() => void)[] = []
    const wake = (): void => waiting.splice(0).forEach((resolve) => resolve())
    let connections = 0
    const close = await listenTo(
      database,
      changesChannel,
      (subject) => (heard.push(subject), wake()),
      () => (connections++, wake()),
    )
    const until = async (reached: () => boolean): Promise<void> => {
      while (!reached()) await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      await announce('key:one')
      await assert.rejects(announce('key:never', true), /rolled back/)
      await announce('key:two')
      await until(() => heard.length >= 2)
      await ownerOf(database).query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %'`)
      await until(() => connections === 2)
      await announce('key:three')
      await until(() => heard.length >= 3)
      assert.deepEqual(heard, ['key:one', 'key:two', 'key:three'])
    } finally {
      await close()
    }
  })
}
