import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId, createSandboxUuid } from '../../../platform/ids.ts'
import { insertTileToken } from './store.tile-tokens.ts'
import { deleteEndedTileTokens } from './tile-tokens.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

const now = new Date('2030-06-01T12:00:00Z')
const minutesFromNow = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)

/** Inserts a token that ends so many minutes from now; its hash is its id. */
async function insertToken(organization_id: string, minutes: number): Promise<string> {
  const id = newId()
  const token = {
    organization_id,
    id,
    item_id: newId(),
    collection_id: null,
    name: '',
    prefix: 'test',
    issuer: newId(),
    key_id: null,
    expires_at: minutesFromNow(minutes),
    revoked_at: null,
    created_at: minutesFromNow(-60),
  }
  await database.unscoped.transaction((tx) => insertTileToken(tx, token, id))
  return id
}

test('ended tokens of all organizations but sandboxes are deleted with their hashes, by the clock of each', async () => {
  const [one, other, ahead, sandbox] = [newId(), newId(), newId(), createSandboxUuid()]
  for (const organization of [one, one, one, other, ahead]) await insertToken(organization, -1)
  await insertToken(ahead, 5)
  const kept = [await insertToken(one, 1), await insertToken(other, 1), await insertToken(ahead, 11)]
  kept.push(await insertToken(sandbox, -1))
  const times = {
    organization: null,
    processTime: now,
    byOrganization: new Map([[ahead, minutesFromNow(10) as OrganizationTime]]),
  }
  await deleteEndedTileTokens(database.unscoped, times, 2)
  const tokens = await database.unscoped.query<{ id: string }>(sql`select id from tile_tokens`)
  const hashes = await database.unscoped.query<{ id: string }>(sql`select token_hash as id from tile_token_directory`)
  for (const rows of [tokens, hashes]) assert.deepEqual(rows.map(({ id }) => id).toSorted(), kept.toSorted())
})
