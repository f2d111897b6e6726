import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import { findStorageIdentity, createStorageIdentity } from './blobs/storage-identity.ts'
import { readConfig } from './config.ts'
import type { Database } from './database/database.ts'
import { sql } from './database/sql.ts'
import { checkInstallation, forgetInstallationStorage, InstallationMismatch } from './installation.ts'
import { describeStartFailure } from './explain-start-failure.ts'

let database: Database
let root: string
before(async () => {
  database = await openTestDatabase()
  root = await mkdtemp(join(tmpdir(), 'swath-installation-'))
})
after(async () => {
  await database.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => database.unscoped.query(sql`delete from installation`))

const secret = new Uint8Array(32).fill(1)
const folder = (name: string): Record<string, string> => ({ SWATH_DATA_DIR: join(root, name) })

/** Runs the installation check of a start with these settings. */
async function start(environment: Record<string, string>, masterSecret = secret): Promise<void> {
  const config = readConfig(environment)
  const storage = await findStorageIdentity(config)
  await checkInstallation(database, {
    masterSecrets: [masterSecret],
    storage,
    createStorageIdentity: () => createStorageIdentity(config),
  })
}

const failsWith = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof InstallationMismatch)
  const message = describeStartFailure(error, null) ?? ''
  assert.match(message, pattern)
  assert.match(message, /^The database .*\.$/)
  return true
}

test('a process with another master secret is rejected, and the secret is not stored in the database', async () => {
  await start(folder('one'))
  await start(folder('one'))
  await assert.rejects(start(folder('one'), new Uint8Array(32).fill(2)), failsWith(/SWATH_SECRET/))
  const [row] = await database.unscoped.query<{ secret_fingerprint: string }>(sql`select * from installation`)
  const stored = JSON.stringify(row)
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    assert.ok(!stored.includes(Buffer.from(secret).toString(encoding)))
  }
})

test('a process with another folder or bucket is rejected, and a rejected folder gets no id', async () => {
  await start(folder('two'))
  await assert.rejects(start(folder('three')), failsWith(/STORAGE_URL/))
  assert.equal(await findStorageIdentity(readConfig(folder('three'))), null)
  const bucket = { ...folder('two'), STORAGE_URL: 's3://scenes/a', AWS_REGION: 'eu-west-1' }
  await assert.rejects(start(bucket), failsWith(/STORAGE_URL/))
  await forgetInstallationStorage(database)
  await start(bucket)
  for (const [name, value] of [
    ['STORAGE_URL', 's3://scenes/b'],
    ['STORAGE_URL', 's3://other/a'],
    ['AWS_ENDPOINT_URL', 'https://store.example'],
  ] as const) {
    await assert.rejects(start({ ...bucket, [name]: value }), failsWith(/STORAGE_URL/))
  }
  await start(bucket)
})

test('concurrent starts on one new folder agree on its id', async () => {
  const config = readConfig(folder('four'))
  const names = await Promise.all(Array.from({ length: 8 }, () => createStorageIdentity(config)))
  assert.equal(new Set(names).size, 1)
  assert.equal(await findStorageIdentity(config), names[0])
})
