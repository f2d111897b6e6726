import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { openDiskBlobs, type DiskBlobs } from '../../src/platform/blobs/disk.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { unchanged } from '../books.ts'
import { placeScenes, quiet, waitForOrder } from '../orders.ts'
import { makeOrganization, type TestOrganization } from '../people.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

interface Drift {
  readonly asset_id: string | null
  readonly object_path: string
  readonly journal_bytes: number
  readonly stored_bytes: number
  readonly kind: string
}

interface Stored {
  readonly id: string
  readonly item_id: string
  readonly blob_path: string
  readonly file_size_bytes: number
}

let folder: string
let house: TestHouse
let blobs: DiskBlobs
let made: TestOrganization
/** The delivered image and its thumbnail. */
let data: Stored
let thumbnail: Stored

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-bytes-'))
  house = await bootHouse({ environment: { SWATH_DATA_DIR: folder } })
  blobs = await openDiskBlobs({ folder: join(folder, 'blobs'), clock: house.clock, keys: [new Uint8Array(32)] })
  made = await makeOrganization(house, 0)
  const { features } = await made.owner.client.call('catalog.search', { host_name: 'open', limit: 1 })
  const order = await placeScenes(made.owner.client, 'open', [features[0]!.id])
  await waitForOrder(made.owner.client, order, 'FULFILLED')
  await quiet(house)
  const rows = await house.database.of(made.organization).query<Stored>(sql`
    select id, item_id, blob_path, file_size_bytes from assets
    where organization_id = ${made.organization} order by key`)
  assert.equal(rows.length, 2)
  ;[data, thumbnail] = rows as [Stored, Stored]
})
after(async () => {
  await house?.close()
  await rm(folder, { recursive: true, force: true })
})

const operate = <Output>(name: string, input: object = {}): Promise<Output> =>
  house.admin.call<Output>(`billing.reconciliation.${name}`, { organization_id: made.organization, ...input })

interface Corrected {
  readonly corrections: readonly { readonly asset_id: string | null; readonly bytes_delta: number }[]
  readonly bytes_delta: number
}

const driftsOf = async (): Promise<[string | null, string, number, number][]> =>
  (await operate<{ drifts: Drift[] }>('detect_drift')).drifts.map((drift) => [
    drift.asset_id,
    drift.kind,
    drift.journal_bytes,
    drift.stored_bytes,
  ])

/** Applies corrections and asserts that a second call makes none. */
async function mend(name: string): Promise<readonly (string | number | null)[][]> {
  const { corrections, bytes_delta } = await operate<Corrected>(name)
  assert.equal(
    corrections.reduce((sum, row) => sum + row.bytes_delta, 0),
    bytes_delta,
  )
  const again = await unchanged(house, () => operate<Corrected>(name))
  assert.deepEqual(again.corrections, [])
  return corrections.map((row) => [row.asset_id, row.bytes_delta])
}

const driftOfRun = async (threshold_bytes: number): Promise<[number, boolean]> => {
  const run = await operate<{ drift_bytes: number; flagged: boolean }>('run', { threshold_bytes })
  return [run.drift_bytes, run.flagged]
}

test('the journal agrees with the storage after a delivery', async () => {
  assert.deepEqual(await driftsOf(), [])
  const run = await operate<Record<string, number>>('run', {})
  assert.equal(run['journal_bytes'], data.file_size_bytes + thumbnail.file_size_bytes)
  assert.equal(run['stored_bytes'], run['journal_bytes'])
  assert.deepEqual(await driftOfRun(0), [0, false])
})

test('an object removed from storage directly is stale until its bytes are removed from the journal', async () => {
  const bytes = await blobs.read(thumbnail.blob_path, 0, thumbnail.file_size_bytes)
  await blobs.delete(thumbnail.blob_path)
  assert.deepEqual(await driftsOf(), [[thumbnail.id, 'stale', thumbnail.file_size_bytes, 0]])
  assert.deepEqual(await driftOfRun(0), [thumbnail.file_size_bytes, true])
  assert.deepEqual(await mend('remove_stale'), [[thumbnail.id, -thumbnail.file_size_bytes]])
  assert.deepEqual(await driftsOf(), [])
  await blobs.putBytes(thumbnail.blob_path, bytes, 'image/jpeg')
  assert.deepEqual(await driftsOf(), [[thumbnail.id, 'missing', 0, thumbnail.file_size_bytes]])
  assert.deepEqual(await mend('backfill_missing'), [[thumbnail.id, thumbnail.file_size_bytes]])
  assert.deepEqual(await driftsOf(), [])
})

test('an asset without a journal entry is missing until it is backfilled', async () => {
  const [id, blob_path] = [newId(), `organizations/${made.organization}/items/${data.item_id}/old.tif`]
  await blobs.putBytes(blob_path, new Uint8Array(77), 'image/tiff')
  assert.deepEqual(await driftsOf(), [])
  await house.database.across.query(sql`
    insert into assets (organization_id, id, item_id, key, blob_path, media_type, ready, created_at, updated_at)
    values (${made.organization}, ${id}, ${data.item_id}, 'old', ${blob_path}, 'image/tiff', true, now(), now())`)
  assert.deepEqual(await driftsOf(), [[id, 'missing', 0, 77]])
  assert.deepEqual(await mend('backfill_missing'), [[id, 77]])
  assert.deepEqual(await driftsOf(), [])
})

test('a wrong correction is detected as drift and corrected by another one', async () => {
  const first = await operate<Corrected>('correct_drift', { asset_id: data.id, bytes_delta: 5, reason: 'a slip' })
  assert.equal(first.bytes_delta, 5)
  assert.deepEqual(await driftsOf(), [[data.id, 'drift', data.file_size_bytes + 5, data.file_size_bytes]])
  assert.deepEqual(await mend('remove_stale'), [])
  assert.deepEqual(await mend('backfill_missing'), [])
  await operate('correct_drift', { asset_id: data.id, bytes_delta: -5, reason: 'the slip taken back' })
  assert.deepEqual(await driftsOf(), [])
  await operate('correct_drift', { bytes_delta: -9, reason: 'of the organization as a whole' })
  assert.deepEqual(await driftsOf(), [[null, 'negative', -9, 0]])
  assert.deepEqual(await mend('zero_negative_nets'), [[null, 9]])
  assert.deepEqual(await driftsOf(), [])
  const { corrections, total } = await operate<{
    corrections: { reason: string; actor: string; bytes_delta: number }[]
    total: number
  }>('list_corrections', { limit: 2 })
  assert.ok(total >= 4)
  assert.deepEqual(
    corrections.map((row) => [row.bytes_delta, row.reason]),
    [
      [9, 'the sum of the journal was negative'],
      [-9, 'of the organization as a whole'],
    ],
  )
})

test('corrections of stored bytes create no journal entries', async () => {
  const rows = await house.database.across.query(sql`
    select id from journal_entries where organization_id = ${made.organization}`)
  assert.deepEqual(rows, [])
})

test('all organizations are reconciled by the operation and by the daily task', async () => {
  const { runs, flagged_count } = await house.admin.call<{
    runs: { organization_id: string; flagged: boolean }[]
    flagged_count: number
  }>('billing.reconciliation.run_all', {})
  assert.ok(runs.some((run) => run.organization_id === made.organization))
  assert.equal(new Set(runs.map((run) => run.organization_id)).size, runs.length)
  assert.equal(flagged_count, runs.filter((run) => run.flagged).length)
  const countRuns = async (): Promise<number> => (await operate<{ total: number }>('list_runs', {})).total
  const kept = await countRuns()
  await house.database.across.transaction((tx) => house.queue.enqueue(tx, 'billing.reconcile', {}))
  for (let tries = 0; tries < 600 && (await countRuns()) === kept; tries++) await pause(50)
  assert.ok((await countRuns()) > kept)
  const { runs: own } = await operate<{ runs: { organization_id: string }[] }>('list_runs', { limit: 1 })
  assert.deepEqual(
    own.map((run) => run.organization_id),
    [made.organization],
  )
})

test('unknown ids, invalid corrections and callers who are not operators are refused and change nothing', async () => {
  const status = async (client: typeof house.admin, name: string, input: object): Promise<number> => {
    const body = JSON.stringify({ organization_id: made.organization, ...input })
    return (await client.fetch(`/v1/op/billing.reconciliation.${name}`, { method: 'POST', body })).status
  }
  const correction = { bytes_delta: -1, reason: 'x' }
  const named = ['run', 'detect_drift', 'remove_stale', 'backfill_missing', 'zero_negative_nets'] as const
  await unchanged(house, async () => {
    for (const name of named) {
      assert.equal(await status(house.admin, name, { organization_id: newId() }), 404, name)
      assert.equal(await status(made.owner.client, name, {}), 403, name)
    }
    for (const name of ['correct_drift', 'run_all', 'list_runs', 'list_corrections']) {
      assert.equal(await status(made.owner.client, name, {}), 403, name)
    }
    assert.equal(await status(house.admin, 'correct_drift', { ...correction, organization_id: newId() }), 404)
    assert.equal(await status(house.admin, 'correct_drift', { ...correction, asset_id: newId() }), 404)
    assert.equal(await status(house.admin, 'correct_drift', { ...correction, bytes_delta: 0 }), 409)
    assert.equal(await status(house.admin, 'correct_drift', { ...correction, bytes_delta: -(2 ** 50) }), 409)
    assert.equal(await status(house.admin, 'correct_drift', { ...correction, reason: '' }), 422)
  })
})

test('a deleted project has no stored bytes', async () => {
  const { projects } = await made.owner.client.call<{ projects: { id: string }[] }>('projects.list', {})
  for (const { id } of projects) await made.owner.client.call('projects.delete', { project_id: id })
  assert.deepEqual(await driftsOf(), [])
  const run = await operate<Record<string, number>>('run', {})
  assert.deepEqual([run['journal_bytes'], run['stored_bytes']], [0, 0])
})
