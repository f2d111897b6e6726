import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { openDiskBlobStore, type DiskBlobStore } from '../../src/platform/blobs/disk.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { assertUnchanged } from '../ledger-assertions.ts'
import { placeSceneOrder, waitForOrderTasks, waitForOrder } from '../orders.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { backgroundTaskTypes } from '../../src/engine/task-types.ts'

interface StorageDrift {
  readonly asset_id: string | null
  readonly object_path: string
  readonly journal_bytes: number
  readonly stored_bytes: number
  readonly kind: string
}

interface StoredAsset {
  readonly id: string
  readonly item_id: string
  readonly blob_path: string
  readonly file_size_bytes: number
}

let folder: string
let app: TestApp
let blobs: DiskBlobStore
let org: TestOrganization
/** The delivered image and its thumbnail. */
let data: StoredAsset
let thumbnail: StoredAsset

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-bytes-'))
  app = await startTestApp({ environment: { SWATH_DATA_DIR: folder } })
  blobs = await openDiskBlobStore({ folder: join(folder, 'blobs'), clock: app.clock, keys: [new Uint8Array(32)] })
  org = await createTestOrganization(app, 0)
  const { features } = await org.owner.client.call('catalog.search', { host_name: 'open', limit: 1 })
  const order = await placeSceneOrder(org.owner.client, 'open', [features[0]!.id])
  await waitForOrder(org.owner.client, order, 'FULFILLED')
  await waitForOrderTasks(app)
  const rows = await app.database.forOrganization(org.organization).query<StoredAsset>(sql`
    select id, item_id, blob_path, file_size_bytes from assets
    where organization_id = ${org.organization} order by key`)
  assert.equal(rows.length, 2)
  ;[data, thumbnail] = rows as [StoredAsset, StoredAsset]
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

const callReconciliation = <Output>(name: string, input: object = {}): Promise<Output> =>
  app.admin.call<Output>(`billing.reconciliation.${name}`, { organization_id: org.organization, ...input })

interface CorrectionResult {
  readonly corrections: readonly { readonly asset_id: string | null; readonly bytes_delta: number }[]
  readonly bytes_delta: number
}

const detectDrift = async (): Promise<[string | null, string, number, number][]> =>
  (await callReconciliation<{ drifts: StorageDrift[] }>('detect_drift')).drifts.map((drift) => [
    drift.asset_id,
    drift.kind,
    drift.journal_bytes,
    drift.stored_bytes,
  ])

/** Applies corrections and asserts that a second call makes none. */
async function applyCorrections(name: string): Promise<readonly (string | number | null)[][]> {
  const { corrections, bytes_delta } = await callReconciliation<CorrectionResult>(name)
  assert.equal(
    corrections.reduce((sum, row) => sum + row.bytes_delta, 0),
    bytes_delta,
  )
  const again = await assertUnchanged(app, () => callReconciliation<CorrectionResult>(name))
  assert.deepEqual(again.corrections, [])
  return corrections.map((row) => [row.asset_id, row.bytes_delta])
}

const runReconciliation = async (threshold_bytes: number): Promise<[number, boolean]> => {
  const run = await callReconciliation<{ drift_bytes: number; flagged: boolean }>('run', { threshold_bytes })
  return [run.drift_bytes, run.flagged]
}

test('the journal agrees with the storage after a delivery', async () => {
  assert.deepEqual(await detectDrift(), [])
  const run = await callReconciliation<Record<string, number>>('run', {})
  assert.equal(run['journal_bytes'], data.file_size_bytes + thumbnail.file_size_bytes)
  assert.equal(run['stored_bytes'], run['journal_bytes'])
  assert.deepEqual(await runReconciliation(0), [0, false])
})

test('an object removed from storage directly is stale until its bytes are removed from the journal', async () => {
  const bytes = await blobs.read(thumbnail.blob_path, 0, thumbnail.file_size_bytes)
  await blobs.delete(thumbnail.blob_path)
  assert.deepEqual(await detectDrift(), [[thumbnail.id, 'stale', thumbnail.file_size_bytes, 0]])
  assert.deepEqual(await runReconciliation(0), [thumbnail.file_size_bytes, true])
  assert.deepEqual(await applyCorrections('remove_stale'), [[thumbnail.id, -thumbnail.file_size_bytes]])
  assert.deepEqual(await detectDrift(), [])
  await blobs.putBytes(thumbnail.blob_path, bytes, 'image/jpeg')
  assert.deepEqual(await detectDrift(), [[thumbnail.id, 'missing', 0, thumbnail.file_size_bytes]])
  assert.deepEqual(await applyCorrections('backfill_missing'), [[thumbnail.id, thumbnail.file_size_bytes]])
  assert.deepEqual(await detectDrift(), [])
})

test('an asset without a journal entry is missing until it is backfilled', async () => {
  const [id, blob_path] = [newId(), `organizations/${org.organization}/items/${data.item_id}/old.tif`]
  await blobs.putBytes(blob_path, new Uint8Array(77), 'image/tiff')
  assert.deepEqual(await detectDrift(), [])
  await app.database.unscoped.query(sql`
    insert into assets (organization_id, id, item_id, key, blob_path, media_type, ready, created_at, updated_at)
    values (${org.organization}, ${id}, ${data.item_id}, 'old', ${blob_path}, 'image/tiff', true, now(), now())`)
  assert.deepEqual(await detectDrift(), [[id, 'missing', 0, 77]])
  assert.deepEqual(await applyCorrections('backfill_missing'), [[id, 77]])
  assert.deepEqual(await detectDrift(), [])
})

test('a wrong correction is detected as drift and corrected by another one', async () => {
  const first = await callReconciliation<CorrectionResult>('correct_drift', {
    asset_id: data.id,
    bytes_delta: 5,
    reason: 'a slip',
  })
  assert.equal(first.bytes_delta, 5)
  assert.deepEqual(await detectDrift(), [[data.id, 'drift', data.file_size_bytes + 5, data.file_size_bytes]])
  assert.deepEqual(await applyCorrections('remove_stale'), [])
  assert.deepEqual(await applyCorrections('backfill_missing'), [])
  await callReconciliation('correct_drift', { asset_id: data.id, bytes_delta: -5, reason: 'the slip taken back' })
  assert.deepEqual(await detectDrift(), [])
  await callReconciliation('correct_drift', { bytes_delta: -9, reason: 'of the organization as a whole' })
  assert.deepEqual(await detectDrift(), [[null, 'negative', -9, 0]])
  assert.deepEqual(await applyCorrections('zero_negative_nets'), [[null, 9]])
  assert.deepEqual(await detectDrift(), [])
  const { corrections, total } = await callReconciliation<{
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
  const rows = await app.database.unscoped.query(sql`
    select id from journal_entries where organization_id = ${org.organization}`)
  assert.deepEqual(rows, [])
})

test('all organizations are reconciled by the operation and by the daily task', async () => {
  const { runs, flagged_count } = await app.admin.call<{
    runs: { organization_id: string; flagged: boolean }[]
    flagged_count: number
  }>('billing.reconciliation.run_all', {})
  assert.ok(runs.some((run) => run.organization_id === org.organization))
  assert.equal(new Set(runs.map((run) => run.organization_id)).size, runs.length)
  assert.equal(flagged_count, runs.filter((run) => run.flagged).length)
  const countRuns = async (): Promise<number> => (await callReconciliation<{ total: number }>('list_runs', {})).total
  const runCountBefore = await countRuns()
  await app.database.unscoped.transaction((tx) => app.queue.enqueue(tx, backgroundTaskTypes.reconcileStorage, {}))
  for (let tries = 0; tries < 600 && (await countRuns()) === runCountBefore; tries++) await pause(50)
  assert.ok((await countRuns()) > runCountBefore)
  const { runs: ownRuns } = await callReconciliation<{ runs: { organization_id: string }[] }>('list_runs', { limit: 1 })
  assert.deepEqual(
    ownRuns.map((run) => run.organization_id),
    [org.organization],
  )
})

test('unknown ids, invalid corrections and callers who are not operators are refused and change nothing', async () => {
  const status = async (client: typeof app.admin, name: string, input: object): Promise<number> => {
    const body = JSON.stringify({ organization_id: org.organization, ...input })
    return (await client.fetch(`/v1/op/billing.reconciliation.${name}`, { method: 'POST', body })).status
  }
  const correction = { bytes_delta: -1, reason: 'x' }
  const organizationOperations = [
    'run',
    'detect_drift',
    'remove_stale',
    'backfill_missing',
    'zero_negative_nets',
  ] as const
  await assertUnchanged(app, async () => {
    for (const name of organizationOperations) {
      assert.equal(await status(app.admin, name, { organization_id: newId() }), 404, name)
      assert.equal(await status(org.owner.client, name, {}), 403, name)
    }
    for (const name of ['correct_drift', 'run_all', 'list_runs', 'list_corrections']) {
      assert.equal(await status(org.owner.client, name, {}), 403, name)
    }
    assert.equal(await status(app.admin, 'correct_drift', { ...correction, organization_id: newId() }), 404)
    assert.equal(await status(app.admin, 'correct_drift', { ...correction, asset_id: newId() }), 404)
    assert.equal(await status(app.admin, 'correct_drift', { ...correction, bytes_delta: 0 }), 409)
    assert.equal(await status(app.admin, 'correct_drift', { ...correction, bytes_delta: -(2 ** 50) }), 409)
    assert.equal(await status(app.admin, 'correct_drift', { ...correction, reason: '' }), 422)
  })
})

test('a deleted project has no stored bytes', async () => {
  const { projects } = await org.owner.client.call<{ projects: { id: string }[] }>('projects.list', {})
  for (const { id } of projects) await org.owner.client.call('projects.delete', { project_id: id })
  assert.deepEqual(await detectDrift(), [])
  const run = await callReconciliation<Record<string, number>>('run', {})
  assert.deepEqual([run['journal_bytes'], run['stored_bytes']], [0, 0])
})
