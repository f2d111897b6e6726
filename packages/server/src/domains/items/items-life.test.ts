import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Item } from '@swath/contract/shapes/item.ts'
import type { StacItem } from '@swath/contract/shapes/stac.ts'
import { ask, refused } from '../../../test/asking.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { square } from '../../../test/places.ts'
import { judgeStac } from '../../../test/stac-judge.ts'
import { openBench } from '../../../test/work.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deleteAsset } from '../assets/assets.delete.ts'
import { getAsset } from '../assets/assets.get.ts'
import { verifyAsset } from '../assets/assets.verify.ts'
import { compareStorage, groundOf } from '../billing/storage/reconciliation.ts'
import { createCollection } from '../collections/collections.create.ts'
import { removeCollection } from '../collections/collections.delete.ts'
import { restoreCollection } from '../collections/collections.restore.ts'
import { archiveProject } from '../projects/projects.archive.ts'
import { storedBytes } from '../usage/stored-bytes.ts'
import { createProfile } from '../visualization/visualization.profile.create.ts'
import { listItemProfiles } from '../visualization/visualization.profiles.list.ts'
import { holdAssets, letGoOfAssets } from './asset-readers.ts'
import { attachAsset } from './attach-asset.ts'
import type { DeliveredAsset } from './deliver.ts'
import { deleteItems } from './items.batch_delete.ts'
import { createItem } from './items.create.ts'
import { deleteItem } from './items.delete.ts'
import { detectAssetBands } from './items.detect_asset_bands.ts'
import { duplicateItem } from './items.duplicate.ts'
import { expireItems } from './items.expire_batch.ts'
import { getItem } from './items.get.ts'
import { getStacItem } from './items.get_stac.ts'
import { getItemLineage } from './items.lineage.ts'
import { listItems } from './items.list.ts'
import { listAssets } from './items.list_assets.ts'
import { listItemsOfCollection } from './items.list_by_collection.ts'
import { listExpiringItems } from './items.list_expiring.ts'
import { restoreItem } from './items.restore.ts'
import { nameAssetBands } from './items.set_asset_band_names.ts'
import { changeItem } from './items.update.ts'
import { orderManifest } from './manifest.ts'
import type { RasterFacts } from './raster-facts.ts'
import { listStoredAssets } from './stored-assets.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let bench: ReturnType<typeof openBench>
before(async () => {
  house = await openHoldings()
  bench = openBench(house)
})
after(() => house?.close())

const day_ms = 86_400_000

async function organize() {
  const made = await house.organize()
  return { ...made, owner: { ...made.owner, queue: bench.queue } as Call }
}

const facts: RasterFacts = {
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
  await house.blobs.putBytes(blob_path, bytes, 'image/tiff')
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
    raster: facts,
  }
}

const isStored = async (asset: DeliveredAsset): Promise<boolean> => (await house.blobs.head(asset.blob_path)) !== null

const countOf = async (organization: string, kind: string): Promise<number> => {
  const [row] = await house.database.across.query<{ count: number }>(sql`
    select count(*) as count from events where organization_id = ${organization} and kind = ${kind}`)
  return row!.count
}

const wish = { name: 'Field', type: 'user_raster', geometry: square(10, 50, 1), datetime: '2024-05-01T10:00:00Z' }

test('an item is created from its input and is a valid STAC Item', async () => {
  const { owner, project, organization } = await organize()
  const item = await ask<Item>(createItem, owner, {
    ...wish,
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
  const feature = await ask<StacItem>(getStacItem, owner, { item_id: item.id })
  const { faults, unknown } = await judgeStac([feature])
  assert.deepEqual(faults, [])
  assert.deepEqual([...unknown.keys()], ['https://example.org/farm/v1.0.0/schema.json'])
  assert.deepEqual(
    feature.stac_extensions.map((address) => address.split('/')[3]),
    ['eo', 'view', 'farm'],
  )
  assert.equal(feature.properties['service:source'], 'TASKING')
  assert.equal(await countOf(organization, 'item.created'), 1)
  const again = { ...wish, project_id: project, stac_id: 'field-1' }
  await assert.rejects(ask(createItem, owner, again), refused('stac-id-taken'))
  assert.equal(await countOf(organization, 'item.created'), 1)
  const other = await organize()
  const theirs = await ask<Item>(createItem, other.owner, { ...again, project_id: other.project })
  assert.equal(theirs.stac_id, 'field-1')
})

test('a bbox alone defines the geometry, and a given bbox must contain the geometry', async () => {
  const { owner, project } = await organize()
  const create = (more: object) =>
    ask<Item>(createItem, owner, { project_id: project, name: 'x', type: 'clip', ...more })
  const crossing = await create({ bbox: [170, -10, -170, 10] })
  assert.equal(crossing.geometry?.type, 'MultiPolygon')
  assert.deepEqual(crossing.bbox, [170, -10, -170, 10])
  assert.equal((await create({})).geometry, null)
  assert.deepEqual((await create({ geometry: square(10, 50, 1), bbox: [9, 49, 12, 52] })).bbox, [9, 49, 12, 52])
  const wrong: [object, string][] = [
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
  for (const [more, path] of wrong) {
    await assert.rejects(create(more), (error: { extra: { errors: { path: string }[] } }) => {
      assert.ok(
        error.extra.errors.some((fault) => fault.path.startsWith(path)),
        JSON.stringify(error.extra),
      )
      return refused('validation')(error)
    })
  }
})

test('an unknown origin, collection or project is not-found', async () => {
  const { owner, project } = await organize()
  const other = await organize()
  for (const name of ['order_id', 'upload_id', 'job_id']) {
    const input = { ...wish, project_id: project, [name]: newId() }
    await assert.rejects(ask(createItem, owner, input), refused('not-found'), name)
  }
  const foreign = { ...wish, project_id: project, collection_id: newId() }
  await assert.rejects(ask(createItem, owner, foreign), refused('not-found'))
  await assert.rejects(ask(createItem, other.owner, { ...wish, project_id: project }), refused('not-found'))
})

test('an update changes only the given fields', async () => {
  const { owner, project, organization } = await organize()
  const collection = await ask<{ id: string }>(createCollection, owner, { project_id: project, name: 'Fields' })
  const made = await ask<Item>(createItem, owner, { ...wish, project_id: project, properties: { a: 1, b: 2 } })
  house.clock.advance(1000)
  const change = (more: object) => ask<Item>(changeItem, owner, { item_id: made.id, ...more })
  const moved = await change({ collection_id: collection.id, geometry: square(20, 40, 2), properties: { b: 3 } })
  assert.deepEqual([moved.collection_id, moved.bbox, moved.properties], [collection.id, [20, 40, 22, 42], { b: 3 }])
  assert.deepEqual([moved.name, moved.datetime], [made.name, made.datetime])
  assert.notEqual(moved.updated_at, made.updated_at)
  assert.equal((await change({ cloud_cover: 12, collection_id: null })).collection_id, null)
  assert.equal((await change({ properties: { 'eo:cloud_cover': 40 } })).cloud_cover, 40)
  const { properties } = await ask<StacItem>(getStacItem, owner, { item_id: made.id })
  assert.equal(properties['eo:cloud_cover'], 40)
  const archived = await change({ lifecycle_state: 'archived' })
  assert.equal(archived.lifecycle_state, 'archived')
  assert.equal(archived.archived_at, archived.updated_at)
  assert.equal((await change({ lifecycle_state: 'active' })).archived_at, null)
  const before = await ask(getItem, owner, { item_id: made.id })
  for (const lifecycle_state of ['expired', 'deleted', 'expiring']) {
    await assert.rejects(change({ lifecycle_state, name: 'lost' }), refused('validation'))
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
  await assert.rejects(change({ geometry: flat }), refused('validation'))
  await assert.rejects(change({ collection_id: newId() }), refused('not-found'))
  assert.deepEqual(await ask(getItem, owner, { item_id: made.id }), before)
  assert.equal(await countOf(organization, 'item.updated'), 5)
})

test('a deleted item is not-found and can be restored completely within 30 days', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 100)
  const { item_id } = await deliver(owner, project, { assets: [asset] })
  const before = await ask<StacItem>(getStacItem, owner, { item_id })
  assert.deepEqual(await ask(deleteItem, owner, { item_id }), { ok: true, id: item_id })
  await assert.rejects(ask(getItem, owner, { item_id }), refused('not-found'))
  await assert.rejects(ask(deleteItem, owner, { item_id }), refused('not-found'))
  assert.equal(await storedBytes(owner.db, organization), 100)
  house.clock.advance(29 * day_ms)
  await bench.once('items.sweep-retention')
  const back = await ask<Item>(restoreItem, owner, { item_id })
  assert.equal(back.lifecycle_state, 'active')
  const after = await ask<StacItem>(getStacItem, owner, { item_id })
  assert.deepEqual({ ...after, properties: null }, { ...before, properties: null })
  await assert.rejects(ask(restoreItem, owner, { item_id }), refused('invalid-state'))

  await ask(deleteItem, owner, { item_id })
  house.clock.advance(31 * day_ms)
  await assert.rejects(ask(restoreItem, owner, { item_id }), refused('gone-retention'))
  await bench.once('items.sweep-retention')
  await bench.run()
  await assert.rejects(ask(restoreItem, owner, { item_id }), refused('gone-retention'))
  assert.equal(await isStored(asset), false)
  assert.equal(await storedBytes(owner.db, organization), 0)
  const [row] = await house.database.across.query<{ name: string; geometry: unknown; properties: object }>(sql`
    select name, geometry, properties from items where organization_id = ${organization} and id = ${item_id}`)
  assert.deepEqual(row, { name: 'scene', geometry: null, properties: {} })
})

test('restoring an item is stac-id-taken if another item has its stac_id', async () => {
  const { owner, project } = await organize()
  const input = { ...wish, project_id: project, stac_id: 'one' }
  const first = await ask<Item>(createItem, owner, input)
  await ask(deleteItem, owner, { item_id: first.id })
  await ask(createItem, owner, input)
  await assert.rejects(ask(restoreItem, owner, { item_id: first.id }), refused('stac-id-taken'))
  await assert.rejects(ask(getItem, owner, { item_id: first.id }), refused('not-found'))
})

test('a batch delete reports a refusal for each item that cannot be deleted', async () => {
  const { owner, project, person } = await organize()
  const other = await organize()
  const mine = await ask<Item>(createItem, owner, { ...wish, project_id: project })
  const theirs = await ask<Item>(createItem, other.owner, { ...wish, project_id: other.project })
  const item_ids = [mine.id, theirs.id, newId(), mine.id]
  const outsider = await person('member')
  const closed = await ask<{ deleted: number; results: { refusal: { problem: string } }[] }>(deleteItems, outsider, {
    item_ids: [mine.id],
  })
  assert.deepEqual([closed.deleted, closed.results[0]?.refusal.problem], [0, 'not-a-member'])
  const answer = await ask<{ deleted: number; refused: number; results: { deleted: boolean }[] }>(deleteItems, owner, {
    item_ids,
  })
  assert.deepEqual(
    answer.results.map((result) => result.deleted),
    [true, false, false, true],
  )
  assert.ok(await ask(getItem, other.owner, { item_id: theirs.id }))
})

test('a copy shares the blob of its source, whose bytes count once until both assets are deleted', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 100)
  const { item_id, order_id } = await deliver(owner, project, { assets: [asset], cloud_cover: 9 })
  const config = { bands: '1' }
  await ask(createProfile, owner, { item_id, name: 'Grey', type: 'singleband', config })
  const copy = await ask<Item>(duplicateItem, owner, { item_id })
  assert.equal(copy.duplicated_from_id, item_id)
  assert.deepEqual([copy.name, copy.cloud_cover, copy.order_id], ['scene (copy)', 9, null])
  assert.equal(await storedBytes(owner.db, organization), 100)
  const { profiles } = await ask<{ profiles: { name: string }[] }>(listItemProfiles, owner, { item_id: copy.id })
  assert.deepEqual(
    profiles.map((profile) => profile.name),
    ['Grey'],
  )
  const { parents } = await ask<{ parents: { entity_id: string; relation: string }[] }>(getItemLineage, owner, {
    item_id: copy.id,
  })
  assert.deepEqual(
    parents.map(({ entity_id, relation }) => [entity_id, relation]),
    [[item_id, 'duplicated_from']],
  )
  assert.equal((await orderManifest(owner, order_id)).length, 1)
  const compared = () => compareStorage(groundOf(owner, listStoredAssets), organization)
  assert.deepEqual(await compared(), { journal_bytes: 100, stored_bytes: 100, drifts: [] })

  await ask(deleteAsset, owner, { item_id, asset_id: asset.id })
  await bench.run()
  assert.equal(await isStored(asset), true)
  assert.deepEqual(await compared(), { journal_bytes: 100, stored_bytes: 100, drifts: [] })
  const { assets } = await ask<{ assets: { id: string }[] }>(listAssets, owner, { item_id: copy.id })
  await ask(deleteAsset, owner, { item_id: copy.id, asset_id: assets[0]!.id })
  await bench.run()
  assert.equal(await isStored(asset), false)
  assert.deepEqual(await compared(), { journal_bytes: 0, stored_bytes: 0, drifts: [] })
  assert.deepEqual((await ask<StacItem>(getStacItem, owner, { item_id: copy.id })).assets, {})
})

test('a copy into another project requires write permission there and a collection of that project', async () => {
  const { owner, project, organization, person } = await organize()
  const { item_id } = await deliver(owner, project)
  const target = newId()
  await house.database.across.query(sql`
    insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
    values (${organization}, ${target}, 'Other', false, 'test', ${house.clock.now()}, ${house.clock.now()})`)
  const reader = await person('member')
  await house.database.across.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    values (${organization}, ${project}, ${reader.principal.id}, 'viewer', ${house.clock.now()}, ${house.clock.now()})`)
  for (const target_project_id of [target, null]) {
    await assert.rejects(ask(duplicateItem, reader, { item_id, target_project_id }), refused('not-a-member'))
  }
  const copy = await ask<Item>(duplicateItem, owner, { item_id, target_project_id: target, new_name: 'Twin' })
  assert.deepEqual([copy.project_id, copy.collection_id, copy.name], [target, null, 'Twin'])
  const home = await ask<{ id: string }>(createCollection, owner, { project_id: project, name: 'Home' })
  const astray = { item_id, target_project_id: target, target_collection_id: home.id }
  await assert.rejects(ask(duplicateItem, owner, astray), refused('not-found'))
  await ask(archiveProject, owner, { project_id: target })
  await assert.rejects(ask(duplicateItem, owner, { item_id, target_project_id: target }), refused('invalid-state'))
})

test('an asset with a reader cannot be deleted until the reader releases it', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 10)
  const { item_id } = await deliver(owner, project, { assets: [asset] })
  const job = { type: 'processing_job', id: newId() }
  await owner.transaction((tx) => holdAssets(tx, owner, job, [asset.id]))
  const gone = { item_id, asset_id: asset.id }
  await assert.rejects(ask(deleteAsset, owner, gone), refused('invalid-state'))
  await owner.transaction((tx) => letGoOfAssets(tx, owner, job))
  assert.deepEqual(await ask(deleteAsset, owner, gone), { id: asset.id })
  await assert.rejects(ask(deleteAsset, owner, gone), refused('not-found'))
  await assert.rejects(
    owner.transaction((tx) => holdAssets(tx, owner, job, [asset.id])),
    refused('not-found'),
  )
  assert.equal(await countOf(organization, 'asset.deleted'), 1)
})

test('setting band names updates the Feature of the item', async () => {
  const { owner, project, organization } = await organize()
  const asset = await file(organization, 10)
  const { item_id } = await deliver(owner, project, { assets: [asset] })
  const at = { item_id, asset_id: asset.id }
  assert.deepEqual(await ask(detectAssetBands, owner, at), {
    suggested_band_names: ['one', 'two'],
    current_band_names: ['one', 'two'],
    method: 'band_descriptions',
  })
  assert.deepEqual(await ask(nameAssetBands, owner, { ...at, band_names: ['red', 'depth'] }), { id: asset.id })
  const feature = await ask<StacItem>(getStacItem, owner, { item_id })
  const bands = (feature.assets['data'] as unknown as Record<string, unknown>)['eo:bands']
  assert.deepEqual(bands, [{ name: 'red', common_name: 'red' }, { name: 'depth' }])
  for (const band_names of [['red'], ['red', 'red']]) {
    await assert.rejects(ask(nameAssetBands, owner, { ...at, band_names }), refused('validation'))
  }
  const { stac } = await ask<{ stac: Record<string, unknown> }>(getAsset, owner, at)
  assert.deepEqual(stac['eo:bands'], bands)
  const verdict = await ask<{ intact: boolean }>(verifyAsset, owner, at)
  assert.equal(verdict.intact, true)
  await house.blobs.putBytes(asset.blob_path, new Uint8Array(10), 'image/tiff')
  assert.equal((await ask<{ intact: boolean }>(verifyAsset, owner, at)).intact, false)
  await house.blobs.delete(asset.blob_path)
  assert.equal((await ask<{ stored: boolean }>(verifyAsset, owner, at)).stored, false)
})

test('an asset is attached to an existing item, and a duplicate key is name-taken', async () => {
  const { owner, project, organization } = await organize()
  const [first, second] = [await file(organization, 10), await file(organization, 5, 'more')]
  const { item_id } = await deliver(owner, project, { assets: [first] })
  await owner.transaction((tx) => attachAsset(tx, owner, item_id, second))
  assert.equal(await storedBytes(owner.db, organization), 15)
  assert.deepEqual(Object.keys((await ask<StacItem>(getStacItem, owner, { item_id })).assets), ['data', 'more'])
  const third = await file(organization, 5)
  const taken = owner.transaction((tx) => attachAsset(tx, owner, item_id, third))
  await assert.rejects(taken, refused('name-taken'))
  assert.equal(await storedBytes(owner.db, organization), 15)
})

test('an item is expiring before its retention ends, then gone-retention, and its bytes are deleted', async () => {
  const { owner, project, organization } = await organize()
  await house.database.across.query(sql`
    update organizations set plan = 'free' where organization_id = ${organization}`)
  const asset = await file(organization, 10)
  const { item_id } = await deliver(owner, project, { assets: [asset] })
  const { item } = await ask<{ item: Item }>(getItem, owner, { item_id })
  assert.equal(Date.parse(item.expires_at!), house.clock.now().getTime() + 30 * day_ms)
  const stateNow = async () => (await ask<{ item: Item }>(getItem, owner, { item_id })).item.lifecycle_state
  house.clock.advance(22 * day_ms)
  await bench.once('items.sweep-retention')
  assert.equal(await stateNow(), 'active')
  house.clock.advance(2 * day_ms)
  await bench.once('items.sweep-retention')
  assert.equal(await stateNow(), 'expiring')
  const listed = await ask<{ items: Item[] }>(listExpiringItems, owner, {})
  assert.ok(listed.items.some(({ id }) => id === item_id))
  const copy = await ask<Item>(duplicateItem, owner, { item_id })
  assert.equal(copy.expires_at, item.expires_at, 'a copy does not expire after its source')
  house.clock.advance(6 * day_ms)
  await assert.rejects(ask(getItem, owner, { item_id }), refused('gone-retention'))
  const nothing = { items: [], limit: 100, offset: 0, total: 0, next_offset: null }
  assert.deepEqual(await ask(listItems, owner, { project_id: project }), nothing)
  const of = { collection_id: item.collection_id }
  assert.deepEqual((await ask<{ items: Item[] }>(listItemsOfCollection, owner, of)).items, [])
  const held = { type: 'processing_job', id: newId() }
  await owner.transaction((tx) => holdAssets(tx, owner, held, [asset.id]))
  const { expired_count } = await ask<{ expired_count: number }>(expireItems, owner, {})
  assert.equal(expired_count, 1, 'an asset with a reader is not deleted')
  await owner.transaction((tx) => letGoOfAssets(tx, owner, held))
  assert.deepEqual(await ask(expireItems, owner, {}), { expired_count: 1 })
  await bench.run()
  assert.equal(await isStored(asset), false)
  assert.equal(await storedBytes(owner.db, organization), 0)
  await assert.rejects(ask(getStacItem, owner, { item_id }), refused('gone-retention'))
  await assert.rejects(ask(changeItem, owner, { item_id, name: 'x' }), refused('gone-retention'))
  const { parents } = await ask<{ parents: unknown[] }>(getItemLineage, owner, { item_id })
  assert.equal(parents.length, 1)
  const stranger = await organize()
  await assert.rejects(ask(getItem, stranger.owner, { item_id }), refused('not-found'))
  await ask(deleteItem, owner, { item_id })
  await assert.rejects(ask(restoreItem, owner, { item_id }), refused('gone-retention'))
})

test('a restored collection contains its items, except those moved to another collection', async () => {
  const { owner, project } = await organize()
  const create = (name: string) => ask<{ id: string }>(createCollection, owner, { project_id: project, name })
  const [first, second] = [await create('One'), await create('Two')]
  const [stays, leaves] = [
    await ask<Item>(createItem, owner, { ...wish, project_id: project, collection_id: first.id }),
    await ask<Item>(createItem, owner, { ...wish, project_id: project, collection_id: first.id }),
  ]
  const at = { project_id: project, collection_id: first.id }
  await assert.rejects(ask(restoreCollection, owner, at), refused('invalid-state'))
  await ask(removeCollection, owner, at)
  await ask(changeItem, owner, { item_id: leaves.id, collection_id: second.id })
  const back = await ask<{ item_count: number; name: string }>(restoreCollection, owner, at)
  assert.deepEqual([back.name, back.item_count], ['One', 1])
  const { item } = await ask<{ item: Item }>(getItem, owner, { item_id: stays.id })
  assert.equal(item.collection_id, first.id)

  await ask(removeCollection, owner, at)
  await create('one')
  await assert.rejects(ask(restoreCollection, owner, at), refused('name-taken'))
  house.clock.advance(31 * day_ms)
  await assert.rejects(ask(restoreCollection, owner, at), refused('gone-retention'))
  await assert.rejects(ask(restoreCollection, owner, { ...at, collection_id: newId() }), refused('not-found'))
})

test('of concurrent creates with one stac_id and concurrent deletes of one asset, only one succeeds', async () => {
  const { owner, project, organization } = await organize()
  const input = { ...wish, project_id: project, stac_id: 'race' }
  const made = await Promise.allSettled([ask(createItem, owner, input), ask(createItem, owner, input)])
  assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const asset = await file(organization, 10)
  const { item_id } = await deliver(owner, project, { assets: [asset] })
  const gone = { item_id, asset_id: asset.id }
  const ends = await Promise.allSettled([ask(deleteAsset, owner, gone), ask(deleteAsset, owner, gone)])
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(await storedBytes(owner.db, organization), 0)
})
