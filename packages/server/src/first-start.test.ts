import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestCrypto } from '../test/test-crypto.ts'
import { createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { createApp } from './app.ts'
import { readServerConfig } from './platform/config.ts'
import { openPostgres } from './platform/database/postgres.ts'
import { sql } from './platform/database/sql.ts'

/** Only PostgreSQL allows several processes; registered if the test run has a PostgreSQL server. */
function registerServerTests(server: string): void {
  test('four applications that start at once on an empty database all start, and one creates the administrator', async () => {
    const { url, drop } = await createTestDatabase(server)
    const folder = await mkdtemp(join(tmpdir(), 'swath-first-start-'))
    const config = readServerConfig({
      SWATH_DATA_DIR: folder,
      DATABASE_URL: url,
      // One connection each: the start lock needs no pooled connection.
      DATABASE_POOL: '1',
      BASE_URL: 'http://127.0.0.1',
      SWATH_PLAY_MONEY: 'on',
      LOG_LEVEL: 'silent',
    })
    try {
      const started = await Promise.allSettled(
        Array.from({ length: 4 }, () => createApp({ config, ...createTestCrypto() })),
      )
      const apps = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      const firstApps = apps.filter((app) => app.firstAdministrator !== null)
      for (const app of apps) await app.stop()
      const failures = started.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
      assert.deepEqual([failures, apps.length, firstApps.length], [[], 4, 1])
      const database = await openPostgres({ url, pool_size: 1, statement_timeout_ms: 10_000 })
      const [count] = await database.unscoped.query(sql`
        select (select count(*)::int from users) as users, (select count(*)::int from installation) as installations`)
      await database.close()
      assert.deepEqual(count, { users: 1, installations: 1 })
    } finally {
      await drop()
      await rm(folder, { recursive: true, force: true })
    }
  })
}

const server = testDatabaseUrl()
if (server) registerServerTests(server)
