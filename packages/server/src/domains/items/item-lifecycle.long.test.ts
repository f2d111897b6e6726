import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import { assertOneSucceeds, assertRejected, callOperation, rejectedWith } from '../../../test/call-operation.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { square } from '../../../test/geometries.ts'
import { validateStac } from '../../../test/stac-validator.ts'
import { createTaskRunner } from '../../../test/task-runner.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { compareStorage, createReconciliationDependencies } from '../usage/reconciliation/reconciliation.ts'
import { sumStoredFileBytes } from '../usage/stored-bytes.ts'
import { retainAssetsForReader, releaseAssetsOfReader } from './assets/asset-readers.ts'
import { attachAsset } from './assets/attach-asset.ts'
import type { DeliveredAsset } from './deliver.ts'
import { createDeliveryManifest } from './assets/manifest.ts'
import type { RasterMetadata } from './assets/raster-metadata.ts'
import { listBlobAssets } from './assets/store.assets.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let taskRunner: ReturnType<typeof createTaskRunner>
before(async () => {
  app = await openTestServices()
  taskRunner = createTaskRunner(app)
})
after(() => app?.close())

async function organize() {
  const made = await app.createOrganization()
  return { ...made, owner: { ...made.owner, queue: taskRunner.queue } as Call }
}

const rasterMetadata: RasterMetadata = {
  width: 2,
  height: 2,
  data_type: 'uint16',
  nodata: 0,
  epsg: 32632,
  crs_name: 'WGS 84 / UTM zone 32N',
  projjson: null,
  transform: [10, 0, 600000, 0, -10, 5600000],
  box: [600000, 5599980, 600020, 5600000],
  bounds: [10, 50, 11, 51],
  overviews: 0,
  bands: ['one', 'two'].map((name) => ({
    name,
    common_name: null,
    colour: 'gray',
    scale: 1,
    offset: 0,
    statistics: null,
  })),
}

/** A stored file of some bytes with the metadata of a raster of two bands. */
async function file(organization: string, size: number, key = 'data'): Promise<DeliveredAsset> {
  const id = newId()
  const blob_path = `organizations/${organization}/items/${id}/data.tif`
  const bytes = new Uint8Array(size).fill(7)
  await app.blobs.putBytes(blob_path, bytes, 'image/tiff')
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex')
  const media_type = 'image/tiff'
  return {
    id,
    key,
    title: null,
    blob_path,
    media_type,
    roles: ['data'],
    file_size_bytes: size,
    checksum_sha256,
    raster: rasterMetadata,
  }
}

const isStored = async (asset: DeliveredAsset): Promise<boolean> => (await app.blobs.head(asset.blob_path)) !== null

const countEvents = async (organization: string, kind: string): Promise<number> => {
  const [row] = await app.database.unscoped.query<{ count: number }>(sql`
    select count(*) as count from events where organization_id = ${organization} and kind = ${kind}`)
  return row!.count
}

const itemInput = { name: 'Field', type: 'user_raster', geometry: square(10, 50, 1), datetime: '2024-05-01T10:00:00Z' }

test('an item is created from its input and is a valid STAC Item', async () => {
  const { owner, project, organization } = await organize()
  const item = await callOperation<Item>('items.create', owner, {
    ...itemInput,
    project_id: project,
    stac_id: 'field-1',
    cloud_cover: 3,
    gsd: 0.5,
    properties: { platform: 'drone', 'view:off_nadir': 4, 'service:source': 'forged', 'service:item_id': 'forged' },
    stac_extensions: ['https://example.org/farm/v1.0.0/schema.json'],
  })
  assert.deepEqual(item.bbox, [10, 50, 11, 51])
  assert.deepEqual(item.properties, { platform: 'drone', 'view:off_nadir': 4 })
  assert.equal(item.lifecycle_state, 'active')
  assert.equal(item.expires_at, null)
  assert.equal(item.created_by, owner.principal.id)
  const feature = await callOperation<StacItem>('items.get_stac', owner, { item_id: item.id })
  const { errors, unknownExtensions } = await validateStac([feature])
  assert.deepEqual(errors, [])
  assert.deepEqual([...unknownExtensions.keys()], ['https://example.org/farm/v1.0.0/schema.json'])
  assert.deepEqual(
    feature.stac_extensions.map((url) => url.split('/')[3]),
    ['eo', 'view', 'farm'],
  )
  assert.equal(feature.properties['service:source'], 'TASKING')
  assert.equal(await countEvents(organization, 'item.created'), 1)
  const again = { ...itemInput, project_id: project, stac_id: 'field-1' }
  await assertRejected(callOperation('items.create', owner, again), 'stac-id-taken')
  assert.equal(await countEvents(organization, 'item.created'), 1)
  const other = await organize()
  const otherItem = await callOperation<Item>('items.create', other.owner, { ...again, project_id: other.project })
  assert.equal(otherItem.stac_id, 'field-1')
})

test('a bbox alone defines the geometry; beside a geometry it must contain it', async () => {
  const { owner, project } = await organize()
  const create = (more: object) =>
    callOperation<Item>('items.create', owner, { project_id: project, name: 'x', type: 'clip', ...more })
  const crossingItem = await create({ bbox: [170, -10, -170, 10] })
  assert.equal(crossingItem.geometry?.type, 'MultiPolygon')
  assert.deepEqual(crossingItem.bbox, [170, -10, -170, 10])
  assert.equal((await create({})).geometry, null)
  assert.deepEqual((await create({ geometry: square(10, 50, 1), bbox: [9, 49, 12, 52] })).bbox, [9, 49, 12, 52])
  const invalidInputs: [object, string][] = [
    [{ geometry: square(10, 50, 1), bbox: [20, 49, 22, 52] }, 'bbox'],
    [{ bbox: [0, 10, 1, 5] }, 'bbox'],
    [{ bbox: [0, 0, 1, 91] }, 'bbox'],
    [
      {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
            ],
          ],
        },
      },
      'geometry',
    ],
    [{ start_datetime: '2024-01-01T00:00:00Z' }, 'end_datetime'],
    [{ start_datetime: '2024-01-02T00:00:00Z', end_datetime: '2024-01-01T00:00:00Z' }, 'end_datetime'],
    [{ stac_extensions: ['eo'] }, 'stac_extensions.0'],
    [{ properties: { 'view:azimuth': 400 } }, 'properties.view:azimuth'],
    [{ properties: { platform: 7 } }, 'properties.platform'],
    [{ properties: { datetime: 'soon' } }, 'datetime'],
    [{ colour: 'red' }, 'colour'],
  ]
  for (const [more, path] of invalidInputs) {
    await assert.rejects(create(more), (error: { extra: { errors: { path: string }[] } }) => {
      assert.ok(
        error.extra.errors.some((fault) => fault.path.startsWith(path)),
        JSON.stringify(error.extra),
      )
      return rejectedWith('validation')(error)
    })
  }
})

test('an unknown origin, collection or project is not-found', async () => {
  const { owner, project } = await organize()
  const other = await organize()
  for (const name of ['order_id', 'upload_id', 'job_id']) {
    const input = { ...itemInput, project_id: project, [name]: newId() }
    await assert.rejects(callOperation('items.create', owner, input), rejectedWith('not-found'), name)
  }
  const foreign = { ...itemInput, project_id: project, collection_id: newId() }
  await assertRejected(callOperation('items.create', owner, foreign), 'not-found')
  await assertRejected(callOperation('items.create', other.owner, { ...itemInput, project_id: project }), 'not-found')
})

test('an update changes only the fields in the request', async () => {
  const { owner, project, organization } = await organize()
  const collection = await callOperation<{ id: string }>('collections.create', owner, {
    project_id: project,
    name: 'Fields',
  })
  const made = await callOperation<Item>('items.create', owner, {
    ...itemInput,
    project_id: project,
    properties: { a: 1, b: 2 },
  })
  app.clock.advance(1000)
  const change = (more: object) => callOperation<Item>('items.update', owner, { item_id: made.id, ...more })
  const moved = await change({ collection_id: collection.id, geometry: square(20, 40, 2), properties: { b: 3 } })
  assert.deepEqual([moved.collection_id, moved.bbox, moved.properties], [collection.id, [20, 40, 22, 42], { b: 3 }])
  assert.deepEqual([moved.name, moved.datetime], [made.name, made.datetime])
  assert.notEqual(moved.updated_at, made.updated_at)
  assert.equal((await change({ cloud_cover: 12, collection_id: null })).collection_id, null)
  assert.equal((await change({ properties: { 'eo:cloud_cover': 40 } })).cloud_cover, 40)
  const { properties } = await callOperation<StacItem>('items.get_stac', owner, { item_id: made.id })
  assert.equal(properties['eo:cloud_cover'], 40)
  const archived = await change({ lifecycle_state: 'archived' })
  assert.equal(archived.lifecycle_state, 'archived')
  assert.equal(archived.archived_at, archived.updated_at)
  assert.equal((await change({ lifecycle_state: 'active' })).archived_at, null)
  const before = await callOperation('items.get', owner, { item_id: made.id })
  for (const lifecycle_state of ['expired', 'deleted', 'expiring']) {
    await assert.rejects(change({ lifecycle_state, name: 'lost' }), rejectedWith('validation'))
  }
  const flat = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [0, 0],
        [0, 0],
      ],
    ],
  }
  await assert.rejects(change({ geometry: flat }), rejectedWith('validation'))
  await assert.rejects(change({ collection_id: newId() }), rejectedWith('not-found'))
  assert.deepEqual(await callOperation('items.get', owner, { item_id: made.id }), before)
  assert.equal(await countEvents(organization, 'item.updated'), 5)
})

test('a deleted item is not-found and can be restored completely within 30 days', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 100)
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })
  const before = await callOperation<StacItem>('items.get_stac', owner, { item_id })
  assert.deepEqual(await callOperation('items.delete', owner, { item_id }), { ok: true, id: item_id })
  await assertRejected(callOperation('items.get', owner, { item_id }), 'not-found')
  await assertRejected(callOperation('items.delete', owner, { item_id }), 'not-found')
  assert.equal(await sumStoredFileBytes(owner.db, organization), 100)
  app.clock.advance(29 * day_ms)
  await taskRunner.runTask(backgroundTaskTypes.sweepRetention)
  const back = await callOperation<Item>('items.restore', owner, { item_id })
  assert.equal(back.lifecycle_state, 'active')
  const after = await callOperation<StacItem>('items.get_stac', owner, { item_id })
  assert.deepEqual({ ...after, properties: null }, { ...before, properties: null })
  await assertRejected(callOperation('items.restore', owner, { item_id }), 'invalid-state')

  await callOperation('items.delete', owner, { item_id })
  app.clock.advance(31 * day_ms)
  await assertRejected(callOperation('items.restore', owner, { item_id }), 'gone-retention')
  await taskRunner.runTask(backgroundTaskTypes.sweepRetention)
  await taskRunner.runPending()
  await assertRejected(callOperation('items.restore', owner, { item_id }), 'gone-retention')
  assert.equal(await isStored(asset), false)
  assert.equal(await sumStoredFileBytes(owner.db, organization), 0)
  const [row] = await app.database.unscoped.query<{ name: string; geometry: unknown; properties: object }>(sql`
    select name, geometry, properties from items where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(row, { name: 'scene', geometry: null, properties: {} })
})

test('restoring an item is stac-id-taken if another item has its stac_id', async () => {
  const { owner, project } = await organize()
  const input = { ...itemInput, project_id: project, stac_id: 'one' }
  const first = await callOperation<Item>('items.create', owner, input)
  await callOperation('items.delete', owner, { item_id: first.id })
  await callOperation('items.create', owner, input)
  await assertRejected(callOperation('items.restore', owner, { item_id: first.id }), 'stac-id-taken')
  await assertRejected(callOperation('items.get', owner, { item_id: first.id }), 'not-found')
})

test('a batch delete reports a refusal for each item that cannot be deleted', async () => {
  const { owner, project, createMemberCall } = await organize()
  const other = await organize()
  const mine = await callOperation<Item>('items.create', owner, { ...itemInput, project_id: project })
  const otherItem = await callOperation<Item>('items.create', other.owner, { ...itemInput, project_id: other.project })
  const item_ids = [mine.id, otherItem.id, newId(), mine.id]
  const outsider = await createMemberCall('member')
  const denied = await callOperation<{ deleted: number; results: { refusal: { problem: string } }[] }>(
    'items.batch_delete',
    outsider,
    {
      item_ids: [mine.id],
    },
  )
  assert.deepEqual([denied.deleted, denied.results[0]?.refusal.problem], [0, 'not-a-member'])
  const answer = await callOperation<{ deleted: number; refused: number; results: { deleted: boolean }[] }>(
    'items.batch_delete',
    owner,
    {
      item_ids,
    },
  )
  assert.deepEqual(
    answer.results.map((result) => result.deleted),
    [true, false, false, true],
  )
  assert.ok(await callOperation('items.get', other.owner, { item_id: otherItem.id }))
})

test('a copy shares the blob of its source, whose bytes count once until both assets are deleted', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 100)
  const { item_id, order_id } = await deliverItem(owner, project, { assets: [asset], cloud_cover: 9 })
  const config = { bands: '1' }
  await callOperation('visualization.profile.create', owner, { item_id, name: 'Grey', type: 'singleband', config })
  const copy = await callOperation<Item>('items.duplicate', owner, { item_id })
  assert.equal(copy.duplicated_from_id, item_id)
  assert.deepEqual([copy.name, copy.cloud_cover, copy.order_id], ['scene (copy)', 9, null])
  assert.equal(await sumStoredFileBytes(owner.db, organization), 100)
  const { profiles } = await callOperation<{ profiles: { name: string }[] }>('visualization.profiles.list', owner, {
    item_id: copy.id,
  })
  assert.deepEqual(
    profiles.map((profile) => profile.name),
    ['Grey'],
  )
  const { parents } = await callOperation<{ parents: { entity_id: string; relation: string }[] }>(
    'items.lineage',
    owner,
    {
      item_id: copy.id,
    },
  )
  assert.deepEqual(
    parents.map(({ entity_id, relation }) => [entity_id, relation]),
    [[item_id, 'duplicated_from']],
  )
  assert.equal((await createDeliveryManifest(owner, order_id)).length, 1)
  const compared = () => compareStorage(createReconciliationDependencies(owner, listBlobAssets), organization)
  assert.deepEqual(await compared(), { journal_bytes: 100, stored_bytes: 100, drifts: [] })

  await callOperation('assets.delete', owner, { item_id, asset_id: asset.id })
  await taskRunner.runPending()
  assert.equal(await isStored(asset), true)
  assert.deepEqual(await compared(), { journal_bytes: 100, stored_bytes: 100, drifts: [] })
  const { assets } = await callOperation<{ assets: { id: string }[] }>('items.list_assets', owner, { item_id: copy.id })
  await callOperation('assets.delete', owner, { item_id: copy.id, asset_id: assets[0]!.id })
  await taskRunner.runPending()
  assert.equal(await isStored(asset), false)
  assert.deepEqual(await compared(), { journal_bytes: 0, stored_bytes: 0, drifts: [] })
  assert.deepEqual((await callOperation<StacItem>('items.get_stac', owner, { item_id: copy.id })).assets, {})
})

test('a copy into another project requires write permission there and a collection of that project', async () => {
  const { owner, project, organization, createMemberCall } = await organize()
  const { item_id } = await deliverItem(owner, project)
  const target = newId()
  await app.database.unscoped.query(sql`
    insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
    values (${organization}, ${target}, 'Other', false, 'test', ${app.clock.now()}, ${app.clock.now()})`)
  const reader = await createMemberCall('member')
  await app.database.unscoped.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${organization}, ${project}, ${reader.principal.id}, 'viewer', ${app.clock.now()}, ${app.clock.now()})`)
  for (const target_project_id of [target, null]) {
    await assertRejected(callOperation('items.duplicate', reader, { item_id, target_project_id }), 'not-a-member')
  }
  const copy = await callOperation<Item>('items.duplicate', owner, {
    item_id,
    target_project_id: target,
    new_name: 'Twin',
  })
  assert.deepEqual([copy.project_id, copy.collection_id, copy.name], [target, null, 'Twin'])
  const sourceCollection = await callOperation<{ id: string }>('collections.create', owner, {
    project_id: project,
    name: 'Home',
  })
  const wrongCollection = { item_id, target_project_id: target, target_collection_id: sourceCollection.id }
  await assertRejected(callOperation('items.duplicate', owner, wrongCollection), 'not-found')
  await callOperation('projects.archive', owner, { project_id: target })
  await assertRejected(callOperation('items.duplicate', owner, { item_id, target_project_id: target }), 'invalid-state')
})

test('an asset with a reader cannot be deleted until the reader releases it', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 10)
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })
  const job = { type: 'processing_job', id: newId() }
  await owner.transaction((tx) => retainAssetsForReader(tx, owner, job, [asset.id]))
  const assetKey = { item_id, asset_id: asset.id }
  await assertRejected(callOperation('assets.delete', owner, assetKey), 'invalid-state')
  await owner.transaction((tx) => releaseAssetsOfReader(tx, owner, job))
  assert.deepEqual(await callOperation('assets.delete', owner, assetKey), { id: asset.id })
  await assertRejected(callOperation('assets.delete', owner, assetKey), 'not-found')
  await assert.rejects(
    owner.transaction((tx) => retainAssetsForReader(tx, owner, job, [asset.id])),
    rejectedWith('not-found'),
  )
  assert.equal(await countEvents(organization, 'asset.deleted'), 1)
})

test('setting band names updates the Feature of the item', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 10)
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })
  const key = { item_id, asset_id: asset.id }
  assert.deepEqual(await callOperation('items.detect_asset_bands', owner, key), {
    suggested_band_names: ['one', 'two'],
    current_band_names: ['one', 'two'],
    method: 'band_descriptions',
  })
  assert.deepEqual(await callOperation('items.set_asset_band_names', owner, { ...key, band_names: ['red', 'depth'] }), {
    id: asset.id,
  })
  const feature = await callOperation<StacItem>('items.get_stac', owner, { item_id })
  const bands = (feature.assets['data'] as unknown as Record<string, unknown>)['eo:bands']
  assert.deepEqual(bands, [{ name: 'red', common_name: 'red' }, { name: 'depth' }])
  for (const band_names of [['red'], ['red', 'red']]) {
    await assertRejected(callOperation('items.set_asset_band_names', owner, { ...key, band_names }), 'validation')
  }
  const { stac } = await callOperation<{ stac: Record<string, unknown> }>('assets.get', owner, key)
  assert.deepEqual(stac['eo:bands'], bands)
  const verification = await callOperation<{ intact: boolean }>('assets.verify', owner, key)
  assert.equal(verification.intact, true)
  await app.blobs.putBytes(asset.blob_path, new Uint8Array(10), 'image/tiff')
  assert.equal((await callOperation<{ intact: boolean }>('assets.verify', owner, key)).intact, false)
  await app.blobs.delete(asset.blob_path)
  assert.equal((await callOperation<{ stored: boolean }>('assets.verify', owner, key)).stored, false)
})

test('an asset is attached to an existing item, and a duplicate key is name-taken', async () => {
  const { owner, project, organization } = await organize()
  const [first, second] = [await file(organization, 10), await file(organization, 5, 'more')]
  const { item_id } = await deliverItem(owner, project, { assets: [first] })
  await owner.transaction((tx) => attachAsset(tx, owner, item_id, second))
  assert.equal(await sumStoredFileBytes(owner.db, organization), 15)
  assert.deepEqual(Object.keys((await callOperation<StacItem>('items.get_stac', owner, { item_id })).assets), [
    'data',
    'more',
  ])
  const third = await file(organization, 5)
  await assertRejected(
    owner.transaction((tx) => attachAsset(tx, owner, item_id, third)),
    'name-taken',
  )
  assert.equal(await sumStoredFileBytes(owner.db, organization), 15)
})

test('an item is expiring before its retention ends, then gone-retention, and its bytes are deleted', async () => {
  const { owner, project, organization } = await organize()
  await app.database.unscoped.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const asset = await file(organization, 10)
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })
  const { item } = await callOperation<{ item: Item }>('items.get', owner, { item_id })
  assert.equal(Date.parse(item.expires_at!), app.clock.now().getTime() + 30 * day_ms)
  const stateNow = async () =>
    (await callOperation<{ item: Item }>('items.get', owner, { item_id })).item.lifecycle_state
  for (const [state, days] of Object.entries({ active: 22, expiring: 2 })) {
    app.clock.advance(days * day_ms)
    await taskRunner.runTask(backgroundTaskTypes.sweepRetention)
    assert.equal(await stateNow(), state)
  }
  const listed = await callOperation<{ items: Item[] }>('items.list_expiring', owner, {})
  assert.ok(listed.items.some(({ id }) => id === item_id))
  const copy = await callOperation<Item>('items.duplicate', owner, { item_id })
  assert.equal(copy.expires_at, item.expires_at, 'a copy does not expire after its source')
  app.clock.advance(6 * day_ms)
  await assertRejected(callOperation('items.get', owner, { item_id }), 'gone-retention')
  const nothing = { items: [], limit: 100, offset: 0, total: 0, next_offset: null }
  assert.deepEqual(await callOperation('items.list', owner, { project_id: project }), nothing)
  const collection = { collection_id: item.collection_id }
  assert.deepEqual((await callOperation<{ items: Item[] }>('items.list_by_collection', owner, collection)).items, [])
  const reader = { type: 'processing_job', id: newId() }
  await owner.transaction((tx) => retainAssetsForReader(tx, owner, reader, [asset.id]))
  const { expired_count } = await callOperation<{ expired_count: number }>('items.expire_batch', owner, {})
  assert.equal(expired_count, 1, 'an asset with a reader is not deleted')
  await owner.transaction((tx) => releaseAssetsOfReader(tx, owner, reader))
  assert.deepEqual(await callOperation('items.expire_batch', owner, {}), { expired_count: 1 })
  await taskRunner.runPending()
  assert.equal(await isStored(asset), false)
  assert.equal(await sumStoredFileBytes(owner.db, organization), 0)
  await assertRejected(callOperation('items.get_stac', owner, { item_id }), 'gone-retention')
  await assertRejected(callOperation('items.update', owner, { item_id, name: 'x' }), 'gone-retention')
  const { parents } = await callOperation<{ parents: unknown[] }>('items.lineage', owner, { item_id })
  assert.equal(parents.length, 1)
  const stranger = await organize()
  await assertRejected(callOperation('items.get', stranger.owner, { item_id }), 'not-found')
  await callOperation('items.delete', owner, { item_id })
  await assertRejected(callOperation('items.restore', owner, { item_id }), 'gone-retention')
})

test('a restored collection contains its items, except those moved to another collection', async () => {
  const { owner, project } = await organize()
  const create = (name: string) =>
    callOperation<{ id: string }>('collections.create', owner, { project_id: project, name })
  const [first, second] = [await create('One'), await create('Two')]
  const [stays, leaves] = [
    await callOperation<Item>('items.create', owner, { ...itemInput, project_id: project, collection_id: first.id }),
    await callOperation<Item>('items.create', owner, { ...itemInput, project_id: project, collection_id: first.id }),
  ]
  const key = { project_id: project, collection_id: first.id }
  await assertRejected(callOperation('collections.restore', owner, key), 'invalid-state')
  await callOperation('collections.delete', owner, key)
  await callOperation('items.update', owner, { item_id: leaves.id, collection_id: second.id })
  const back = await callOperation<{ item_count: number; name: string }>('collections.restore', owner, key)
  assert.deepEqual([back.name, back.item_count], ['One', 1])
  const { item } = await callOperation<{ item: Item }>('items.get', owner, { item_id: stays.id })
  assert.equal(item.collection_id, first.id)

  await callOperation('collections.delete', owner, key)
  await create('one')
  await assertRejected(callOperation('collections.restore', owner, key), 'name-taken')
  app.clock.advance(31 * day_ms)
  await assertRejected(callOperation('collections.restore', owner, key), 'gone-retention')
  await assertRejected(callOperation('collections.restore', owner, { ...key, collection_id: newId() }), 'not-found')
})

test('of concurrent creates with one stac_id and concurrent deletes of one asset, only one succeeds', async () => {
  const { owner, project, organization } = await organize()
  const input = { ...itemInput, project_id: project, stac_id: 'race' }
  await assertOneSucceeds(() => callOperation('items.create', owner, input))
  const asset = await file(organization, 10)
  const { item_id } = await deliverItem(owner, project, { assets: [asset] })
  const assetKey = { item_id, asset_id: asset.id }
  await assertOneSucceeds(() => callOperation('assets.delete', owner, assetKey))
  assert.equal(await sumStoredFileBytes(owner.db, organization), 0)
})
