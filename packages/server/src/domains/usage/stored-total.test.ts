import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { sumStoredFileBytes, recordStoredBytes, releaseStoredBytes } from './stored-bytes.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const record = (owner: Call, asset_id: string, sizes: readonly number[]): Promise<string[]> =>
  owner.transaction((tx) =>
    recordStoredBytes(
      tx,
      owner,
      sizes.map((bytes_delta, index) => ({
        asset_id,
        object_path: `items/${asset_id}/${index}.tif`,
        bytes_delta,
        cause: 'delivered',
      })),
    ),
  )

/** Writes of every kind, with the total that each leaves. */
async function assertTotals(): Promise<void> {
  const { owner, organization } = await services.createOrganization()
  const total = () => sumStoredFileBytes(owner.db, organization)
  const [first, second] = [newId(), newId()]
  assert.equal(await total(), 0)
  await record(owner, first, [10, -10])
  assert.equal(await total(), 0)
  // More rows than one statement inserts.
  await record(owner, first, Array<number>(600).fill(3))
  assert.equal(await total(), 1800)
  await owner.db.query(sql`update storage_totals set metadata_bytes = 7 where organization_id = ${organization}`)
  await Promise.all([5, 50, 500].map((bytes) => record(owner, second, [bytes])))
  assert.equal(await total(), 2355)
  await assert.rejects(
    owner.transaction(async (tx) => {
      await recordStoredBytes(tx, owner, [{ asset_id: null, object_path: 'x', bytes_delta: 1, cause: 'corrected' }])
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  await owner.transaction((tx) => releaseStoredBytes(tx, owner, [first]))
  assert.equal(await total(), 555)
  const [row] = await owner.db.query(sql`
    select t.file_bytes, t.metadata_bytes, (select sum(j.bytes_delta)::bigint from storage_journal j
      where j.organization_id = t.organization_id) as journal_bytes
    from storage_totals t where t.organization_id = ${organization}`)
  assert.deepEqual(row, { file_bytes: 555, metadata_bytes: 7, journal_bytes: 555 })
}

test('the total of stored bytes is the sum of the journal', () => assertTotals())
