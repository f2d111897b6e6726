import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { skipOnCitus } from '../../../../test/citus/cluster.ts'
import type { Call } from '../../../engine/call.ts'
import { BlobStoreUnavailable } from '../../../platform/blobs/blobs.ts'
import { getSchemaOwnerConnection } from '../../../platform/database/raw.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import type { DeliveredAsset } from '../../items/deliver.ts'
import { listBlobAssets } from '../../items/assets/store.assets.ts'
import { tombstoneProjectContents } from '../../items/tombstone.ts'
import { lockStorageJournal, recordStoredBytes, releaseStoredBytes, sumStoredFileBytes } from '../stored-bytes.ts'
import {
  compareStorage,
  correctStorageJournal,
  createReconciliationDependencies,
  correctStorageDriftsOfKind,
  runStorageReconciliation,
  type ManualStorageCorrection,
} from './reconciliation.ts'
import { listStorageCorrections, listReconciliationRuns } from './store.reconciliation.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const dependencies = (call: Call, blobs = call.blobs) =>
  createReconciliationDependencies({ ...call, blobs }, listBlobAssets)

const correctManuallyAs = (call: Call, correction: ManualStorageCorrection) =>
  call.unscoped.transaction((tx) => correctStorageJournal(tx, dependencies(call), call, correction))

/** Stores a file under the prefix of its organization, or (`elsewhere`) outside it, where the listing does not find it. */
async function storeFile(organization: string, size: number, elsewhere = false): Promise<DeliveredAsset> {
  const id = newId()
  const blob_path = `${elsewhere ? 'elsewhere' : `organizations/${organization}/items`}/${id}/data.tif`
  await holdings.blobs.putBytes(blob_path, new Uint8Array(size), 'image/tiff')
  return {
    id,
    key: `data_${id.slice(-12)}`,
    title: null,
    blob_path,
    media_type: 'image/tiff',
    roles: ['data'],
    file_size_bytes: size,
    checksum_sha256: '0'.repeat(64),
    raster: null,
  }
}

/** Creates an organization with delivered files of these sizes. */
async function createStockedOrganization(...sizes: number[]) {
  const fixture = await holdings.createOrganization()
  const files: DeliveredAsset[] = []
  for (const [index, size] of sizes.entries()) files.push(await storeFile(fixture.organization, size, index % 2 === 1))
  await deliverItem(fixture.owner, fixture.project, { assets: files })
  return { ...fixture, files }
}

const recordBytesChange = (call: Call, asset: DeliveredAsset, bytes_delta: number): Promise<unknown> =>
  call.transaction((tx) =>
    recordStoredBytes(tx, call, [
      { asset_id: asset.id, object_path: asset.blob_path, bytes_delta, cause: 'delivered' },
    ]),
  )

const driftsOf = async (call: Call): Promise<unknown[]> =>
  (await compareStorage(dependencies(call), call.organization)).drifts.map((drift) => [
    drift.asset_id,
    drift.kind,
    drift.journal_bytes,
    drift.stored_bytes,
  ])

const rowsOf = async (call: Call): Promise<number> => {
  const [row] = await call.db.query<{ count: number }>(sql`
    select count(*) as count from storage_journal where organization_id = ${call.organization}`)
  return row!.count
}

test('delivered files, thumbnails included, are in the journal and match the storage', async () => {
  const { owner, organization } = await createStockedOrganization(100, 20, 3)
  assert.equal(await sumStoredFileBytes(owner.db, organization), 123)
  assert.deepEqual(await compareStorage(dependencies(owner), organization), {
    journal_bytes: 123,
    stored_bytes: 123,
    drifts: [],
  })
})

test('a scene delivered twice is recorded once', async () => {
  const { owner, organization, project, files } = await createStockedOrganization()
  const one = await storeFile(organization, 8)
  const scene = { order_id: newId(), scene_key: 'demo:once', assets: [one] }
  await deliverItem(owner, project, scene)
  await deliverItem(owner, project, { ...scene, assets: [{ ...one, id: newId() }] })
  assert.equal(files.length, 0)
  assert.equal(await sumStoredFileBytes(owner.db, organization), 8)
})

test('the files of a deleted project no longer count, although their objects still exist', async () => {
  const { owner, organization, project, files } = await createStockedOrganization(100, 20)
  await owner.transaction((tx) => tombstoneProjectContents(tx, owner, project))
  assert.equal(await sumStoredFileBytes(owner.db, organization), 0)
  assert.ok(await holdings.blobs.head(files[0]!.blob_path))
  assert.deepEqual(await driftsOf(owner), [])
  assert.equal(await rowsOf(owner), 4)
})

test('releasing bytes in a transaction that fails has no effect', async () => {
  const { owner, organization, files } = await createStockedOrganization(100)
  const failing = owner.transaction(async (tx) => {
    await releaseStoredBytes(tx, owner, [files[0]!.id])
    throw new Error('stopped')
  })
  await assert.rejects(failing, /stopped/)
  assert.equal(await sumStoredFileBytes(owner.db, organization), 100)
})

test('each kind of drift is detected and corrected once by its operation, without effect on other organizations', async () => {
  const other = await createStockedOrganization(50)
  const { owner, organization, files } = await createStockedOrganization(10, 20, 30, 40, 50)
  const [staleAsset, missingAsset, negativeAsset, driftedAsset] = files as [
    DeliveredAsset,
    DeliveredAsset,
    DeliveredAsset,
    DeliveredAsset,
  ]
  await holdings.blobs.delete(staleAsset.blob_path)
  await owner.transaction((tx) => releaseStoredBytes(tx, owner, [missingAsset.id]))
  await recordBytesChange(owner, negativeAsset, -100)
  await holdings.blobs.putBytes(driftedAsset.blob_path, new Uint8Array(44), 'image/tiff')
  const byId = (drifts: unknown[]): unknown[] => drifts.toSorted()
  assert.deepEqual(
    byId(await driftsOf(owner)),
    byId([
      [staleAsset.id, 'stale', 10, 0],
      [missingAsset.id, 'missing', 0, 20],
      [negativeAsset.id, 'negative', -70, 30],
      [driftedAsset.id, 'drift', 40, 44],
    ]),
  )
  const correctDrifts = async (kind: 'missing' | 'stale' | 'negative'): Promise<unknown[]> =>
    (await correctStorageDriftsOfKind(dependencies(owner), owner, kind)).map((row) => [row.asset_id, row.bytes_delta])
  assert.deepEqual(await correctDrifts('negative'), [[negativeAsset.id, 70]])
  assert.deepEqual(await correctDrifts('stale'), [[staleAsset.id, -10]])
  assert.deepEqual(
    byId(await correctDrifts('missing')),
    byId([
      [missingAsset.id, 20],
      [negativeAsset.id, 30],
    ]),
  )
  const rows = await rowsOf(owner)
  for (const kind of ['negative', 'stale', 'missing'] as const) assert.deepEqual(await correctDrifts(kind), [])
  assert.equal(await rowsOf(owner), rows)
  assert.deepEqual(await driftsOf(owner), [[driftedAsset.id, 'drift', 40, 44]])
  await correctManuallyAs(owner, {
    asset_id: driftedAsset.id.toUpperCase(),
    bytes_delta: 4,
    reason: 'it grew',
  })
  assert.deepEqual(await driftsOf(owner), [])
  const { rows: corrections, total } = await listStorageCorrections(owner.db, { organization, limit: 2 })
  assert.equal(total, 5)
  assert.deepEqual(corrections.map((row) => [row.organization_id, row.actor_id, row.reason])[0], [
    organization,
    owner.principal.id,
    'it grew',
  ])
  assert.equal(corrections.length, 2)
  assert.equal(await rowsOf(other.owner), 1)
  assert.deepEqual(await driftsOf(other.owner), [])
})

test('of concurrent corrections only the first finds drift', async () => {
  const { owner, organization, files } = await createStockedOrganization(10, 20, 30)
  for (const { blob_path } of files.slice(0, 2)) await holdings.blobs.delete(blob_path)
  const done = await Promise.all(
    [1, 2, 3, 4].map(() => correctStorageDriftsOfKind(dependencies(owner), owner, 'stale')),
  )
  assert.deepEqual(
    done.map((rows) => rows.length).toSorted((left, right) => right - left),
    [2, 0, 0, 0],
  )
  assert.equal(await sumStoredFileBytes(owner.db, organization), 30)
})

test('an asset deleted between inspection and correction is not corrected', async () => {
  const { owner, organization, project, files } = await createStockedOrganization(10)
  await holdings.blobs.delete(files[0]!.blob_path)
  const blobs = {
    ...holdings.blobs,
    head: async () => {
      await owner.transaction((tx) => tombstoneProjectContents(tx, owner, project))
      return null
    },
  }
  assert.deepEqual(await correctStorageDriftsOfKind(dependencies(owner, blobs), owner, 'stale'), [])
  assert.equal(await sumStoredFileBytes(owner.db, organization), 0)
})

test('an asset delivered between inspection and correction is not treated as stale', async () => {
  const { owner, organization, project, files } = await createStockedOrganization(10, 20)
  await holdings.blobs.delete(files[0]!.blob_path)
  const late = await storeFile(organization, 5, true)
  let isFirst = false
  const blobs = {
    ...holdings.blobs,
    head: async (path: string) => {
      if (!isFirst) {
        isFirst = true
        await deliverItem(owner, project, { assets: [late] })
      }
      return holdings.blobs.head(path)
    },
  }
  const corrected = await correctStorageDriftsOfKind(dependencies(owner, blobs), owner, 'stale')
  assert.deepEqual(
    corrected.map((row) => row.asset_id),
    [files[0]!.id],
  )
  assert.equal(await sumStoredFileBytes(owner.db, organization), 25)
})

test('writers of one storage journal are serialized', async () => {
  const { owner, organization } = await createStockedOrganization(10)
  const order: string[] = []
  const first = owner.transaction(async (tx) => {
    await lockStorageJournal(tx, organization)
    order.push('first holds')
    await tx.query(sql`select 1`)
    order.push('first ends')
  })
  const second = owner.transaction(async (tx) => {
    await lockStorageJournal(tx, organization)
    order.push('second holds')
  })
  await Promise.all([first, second])
  const [held] = [order.indexOf('first holds')]
  assert.equal(order[held + 1], 'first ends')
})

test('a run is stored with its result, and flagged only above its threshold', async () => {
  const { owner, organization, files } = await createStockedOrganization(10, 20)
  await holdings.blobs.delete(files[0]!.blob_path)
  const unflaggedRun = await runStorageReconciliation(dependencies(owner), owner, 10)
  assert.deepEqual(
    [unflaggedRun.journal_bytes, unflaggedRun.stored_bytes, unflaggedRun.drift_bytes, unflaggedRun.flagged],
    [30, 20, 10, false],
  )
  const flaggedRun = await runStorageReconciliation(dependencies(owner), owner, 9)
  assert.equal(flaggedRun.flagged, true)
  const all = await listReconciliationRuns(owner.db, { organization, flagged_only: false, limit: 1 })
  assert.deepEqual([all.rows, all.total], [[flaggedRun], 2])
  const flagged = await listReconciliationRuns(owner.db, { organization, flagged_only: true, limit: 10 })
  assert.deepEqual([flagged.rows, flagged.total], [[flaggedRun], 1])
})

test('a correction of the organization as a whole counts in addition to its assets', async () => {
  const { owner, organization } = await createStockedOrganization(10)
  const correctionInput = { asset_id: null, reason: 'because' }
  await correctManuallyAs(owner, { ...correctionInput, bytes_delta: 7 })
  assert.deepEqual(await driftsOf(owner), [[null, 'stale', 7, 0]])
  await correctManuallyAs(owner, { ...correctionInput, bytes_delta: -9 })
  assert.deepEqual(await driftsOf(owner), [[null, 'negative', -2, 0]])
  assert.equal((await runStorageReconciliation(dependencies(owner), owner, 0)).drift_bytes, -2)
  assert.equal((await correctStorageDriftsOfKind(dependencies(owner), owner, 'negative'))[0]?.bytes_delta, 2)
  assert.equal(await sumStoredFileBytes(owner.db, organization), 10)
})

test('an invalid correction is refused and writes nothing', async () => {
  const { owner, files } = await createStockedOrganization(10, 20)
  const other = await createStockedOrganization(10)
  const rows = await rowsOf(owner)
  const asset_id = files[0]!.id
  const rejectedCorrections: readonly [string, { asset_id: string | null; bytes_delta: number }][] = [
    ['invalid-state', { asset_id, bytes_delta: 0 }],
    ['invalid-state', { asset_id, bytes_delta: -11 }],
    ['invalid-state', { asset_id: null, bytes_delta: -31 }],
    ['invalid-state', { asset_id, bytes_delta: 2 ** 52 }],
    ['not-found', { asset_id: newId(), bytes_delta: 5 }],
    ['not-found', { asset_id: other.files[0]!.id, bytes_delta: 5 }],
  ]
  for (const [problem, correction] of rejectedCorrections) {
    await assert.rejects(correctManuallyAs(owner, { ...correction, reason: 'x' }), { problem })
  }
  assert.equal(await rowsOf(owner), rows)
  assert.equal((await listStorageCorrections(owner.db, { organization: owner.organization, limit: 10 })).total, 0)
})

test('an unavailable storage fails the reconciliation and is not treated as empty', async () => {
  const { owner } = await createStockedOrganization(10, 20)
  const rows = await rowsOf(owner)
  const failUnavailable = async (): Promise<never> => {
    throw new BlobStoreUnavailable(new Error('away'))
  }
  const blobsWithoutHead = { ...holdings.blobs, head: failUnavailable }
  const blobsWithoutList = {
    ...holdings.blobs,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: failUnavailable }) }),
  }
  for (const blobs of [blobsWithoutHead, blobsWithoutList]) {
    await assert.rejects(correctStorageDriftsOfKind(dependencies(owner, blobs), owner, 'stale'), BlobStoreUnavailable)
    await assert.rejects(runStorageReconciliation(dependencies(owner, blobs), owner, 0), BlobStoreUnavailable)
  }
  assert.equal(await rowsOf(owner), rows)
})

test(
  'rows cannot be changed, neither by the server’s role nor by the owner of the tables',
  skipOnCitus('distributed tables have no triggers'),
  async () => {
    const { owner, organization, files } = await createStockedOrganization(10)
    await correctManuallyAs(owner, { asset_id: files[0]!.id, bytes_delta: 1, reason: 'x' })
    await runStorageReconciliation(dependencies(owner), owner, 0)
    const tables = ['storage_journal', 'storage_corrections', 'reconciliation_runs'] as const
    for (const name of tables) {
      const table = sql.identifier(name, tables)
      for (const statement of [
        sql`update ${table} set id = id where organization_id = ${organization}`,
        sql`delete from ${table} where organization_id = ${organization}`,
      ]) {
        await assert.rejects(owner.db.query(statement), { code: '42501' }, name)
        await assert.rejects(owner.unscoped.query(statement), { code: '42501' }, name)
        await assert.rejects(getSchemaOwnerConnection(holdings.database).query(statement), { code: '23001' }, name)
      }
    }
    assert.equal(await sumStoredFileBytes(owner.db, organization), 11)
  },
)
