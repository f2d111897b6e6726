import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cheapCrypto } from '../test/cheap-crypto.ts'
import { createTestDatabase, testServer } from '../test/database.ts'
import { buildHouse } from './house.ts'
import { readServerConfig } from './platform/config.ts'
import { openPostgres } from './platform/database/postgres.ts'
import { sql } from './platform/database/sql.ts'

/** Only PostgreSQL allows several processes; registered if the test run has a PostgreSQL server. */
function testsOnServer(server: string): void {
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
        Array.from({ length: 4 }, () => buildHouse({ config, ...cheapCrypto() })),
      )
      const built = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      const first = built.filter((house) => house.first !== null)
      for (const house of built) await house.stop()
      const failures = started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      assert.deepEqual([failures, built.length, first.length], [[], 4, 1])
      const database = await openPostgres({ url, pool_size: 1, statement_timeout_ms: 10_000 })
      const [count] = await database.across.query(sql`
        select (select count(*)::int from users) as users, (select count(*)::int from installation) as installations`)
      await database.close()
      assert.deepEqual(count, { users: 1, installations: 1 })
    } finally {
      await drop()
      await rm(folder, { recursive: true, force: true })
    }
  })
}

const server = testServer()
if (server) testsOnServer(server)
