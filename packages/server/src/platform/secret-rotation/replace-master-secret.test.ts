import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../../test/database.ts'
import { createDocumentSigner } from '../crypto/document-signer.ts'
import { decryptText, deriveKey, encryptText, type CurrentAndAcceptedKeys } from '../crypto/signatures.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { checkInstallation, InstallationMismatch, readInstallation } from '../installation.ts'
import { replaceMasterSecret, UnknownMasterSecret } from './replace-master-secret.ts'
import { encryptedColumns, encryptedDirectoryColumns } from './sealed-columns.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const organizations = [newId(), newId()]
const receiptKeyOf = (secret: Uint8Array) => createDocumentSigner(deriveKey(secret, 'receipts'), 'test').publicKey

const start = (...masterSecrets: CurrentAndAcceptedKeys) =>
  checkInstallation(database, { masterSecrets, storage: 'files', createStorageIdentity: () => assert.fail() })

const replace = (...masterSecrets: CurrentAndAcceptedKeys): Promise<number> =>
  replaceMasterSecret(database, { masterSecrets, listOrganizations: async () => organizations, receiptKeyOf })

beforeEach(async () => {
  await database.unscoped.query(sql`delete from installation`)
  await database.unscoped.query(sql`delete from given_downloads`)
  await database.unscoped.query(sql`delete from signing_key_ring`)
  await start(first)
})

async function sealUrl(organization: string, name: string, secret: Uint8Array): Promise<void> {
  const sealed_url = encryptText(deriveKey(secret, 'given-downloads'), `url of ${name}`)
  await database.forOrganization(organization).query(sql`
    insert into given_downloads (organization_id, name, sealed_url, expires_at)
    values (${organization}, ${name}, ${sealed_url}, ${new Date(0)})`)
}

async function readUrls(secret: Uint8Array): Promise<(string | null)[]> {
  const rows = await database.unscoped.query<{ sealed_url: string }>(
    sql`select sealed_url from given_downloads order by organization_id, name`,
  )
  return rows.map(({ sealed_url }) => decryptText(deriveKey(secret, 'given-downloads'), sealed_url))
}

test('every column with encrypted texts is listed', async () => {
  const found = await database.unscoped.query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and column_name like '%sealed%' order by 1, 2`)
  const listed = [...encryptedColumns, ...encryptedDirectoryColumns].map(({ table, column }) => ({ table, column }))
  const byName = (one: { table: string; column: string }, other: { table: string; column: string }): number =>
    `${one.table} ${one.column}` < `${other.table} ${other.column}` ? -1 : 1
  assert.deepEqual(found.toSorted(byName), listed.toSorted(byName))
})

test('texts encrypted with the previous secret are encrypted once with the current one everywhere', async () => {
  const names = Array.from({ length: 501 }, (_, index) => `name ${String(index).padStart(3, '0')}`)
  for (const name of names) await sealUrl(organizations[0]!, name, first)
  await sealUrl(organizations[1]!, 'old', first)
  await sealUrl(organizations[1]!, 'renewed', second)

  assert.equal(await replace(second, first), names.length + 1)
  assert.deepEqual(
    await readUrls(second),
    [...names, 'old', 'renewed'].map((name) => `url of ${name}`),
  )
  assert.equal(await replace(second, first), 0)
})

test('secrets of authenticator apps, which belong to no organization, are encrypted anew', async () => {
  const user = newId()
  await database.unscoped.query(sql`
    insert into users (id, email, email_key, password_temporary, is_administrator, is_clip_user, created_at, updated_at)
    values (${user}, 'app@example.org', 'app@example.org', false, false, false, ${new Date(0)}, ${new Date(0)})`)
  const sealed_secret = encryptText(deriveKey(first, 'totp'), 'a secret')
  await database.unscoped.query(sql`
    insert into user_totp (user_id, sealed_secret, created_at) values (${user}, ${sealed_secret}, ${new Date(0)})`)
  assert.equal(await replace(second, first), 1)
  const [row] = await database.unscoped.query<{ sealed_secret: string }>(sql`select sealed_secret from user_totp`)
  assert.equal(decryptText(deriveKey(second, 'totp'), row!.sealed_secret), 'a secret')
  await database.unscoped.query(sql`delete from user_totp`)
})

test('the keys that sign tokens are encrypted anew as a new version', async () => {
  const keys = [first, second].map((secret, index) => ({
    kid: `key ${index}`,
    created_at: '2026-01-01',
    signs_from: '2026-01-01',
    public_jwk: {},
    private_sealed: encryptText(deriveKey(secret, 'signing-keys'), `private ${index}`),
  }))
  await database.unscoped.query(
    sql`insert into signing_key_ring (id, version, keys) values (1, 5, ${sql.json(keys)}::jsonb)`,
  )
  assert.equal(await replace(second, first), 1)
  const [ring] = await database.unscoped.query<{ version: number; keys: typeof keys }>(
    sql`select version, keys from signing_key_ring`,
  )
  assert.equal(ring!.version, 6)
  const texts = ring!.keys.map(({ private_sealed }) => decryptText(deriveKey(second, 'signing-keys'), private_sealed))
  assert.deepEqual(texts, ['private 0', 'private 1'])
})

test('a start accepts both secrets until one was replaced, and receipts of each stay verifiable', async () => {
  await start(second, first)
  await start(first, second)
  await assert.rejects(start(second), InstallationMismatch)
  await replace(second, first)
  await assert.rejects(start(first), InstallationMismatch)
  assert.deepEqual((await start(second)).receiptKeys, [receiptKeyOf(first)])
  await replace(second, first)
  await replace(third, second)
  assert.deepEqual((await start(third)).receiptKeys, [receiptKeyOf(second), receiptKeyOf(first)])
})

test('a text that neither secret encrypted ends the work, and the replacement is not recorded', async () => {
  await sealUrl(organizations[0]!, 'foreign', third)
  await assert.rejects(replace(second, first), (error: unknown) => {
    assert.ok(error instanceof UnknownMasterSecret)
    assert.match(error.message, /given_downloads.sealed_url of foreign/)
    return true
  })
  assert.deepEqual((await readInstallation(database, [first])).receiptKeys, [])
})
