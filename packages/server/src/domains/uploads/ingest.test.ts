import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Item } from '@swath/contract/shapes/item.ts'
import type { Upload } from '@swath/contract/shapes/upload.ts'
import { checkCogLayout, memorySource, openRaster } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { zipOf } from '../../../test/archives.ts'
import { deliver } from '../../../test/holdings.ts'
import { openUploads, sha256, type Completed, type Sent, type Uploads } from '../../../test/uploads.ts'
import { storedBytes } from '../usage/stored-bytes.ts'

let ground: Uploads
let scene: Uint8Array
let jp2: Uint8Array
before(async () => {
  ground = await openUploads()
  const scenes = new URL('../../../demo/scenes/landsat8-nyc/', import.meta.url)
  const name = 'LC08_L1TP_014032_20180615_20180703_01_T1/LC08_L1TP_014032_20180615_B4.tif'
  scene = await readFile(new URL(name, scenes))
  jp2 = await readFile(new URL('../../../../../fixtures/rasters/jpeg2000/u16-gml-degrees.jp2', import.meta.url))
})
after(() => ground.close())

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const square = { type: 'Polygon', coordinates: [[[10, 50], [11, 50], [11, 51], [10, 51], [10, 50]]] } // prettier-ignore
const geojson = bytesOf(
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { name: 'field' }, geometry: square }],
  }),
)

interface Asset {
  readonly id: string
  readonly key: string
  readonly roles: string[]
  readonly file_size_bytes: number
}

const upload = async (
  call: Call,
  session: Record<string, unknown>,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Completed & { sent: Sent }> => {
  const sent = await ground.send(call, session, files)
  return { ...(await ground.complete(call, sent)), sent }
}

const itemOf = async (call: Call, item_id: string): Promise<Item> =>
  (await ground.ask<{ item: Item }>(call, 'items.get', { item_id })).item

const assetsOf = async (call: Call, item_id: string): Promise<Asset[]> =>
  (await ground.ask<{ assets: Asset[] }>(call, 'items.list_assets', { item_id })).assets

const blobOf = async (organization: string, asset: string): Promise<Uint8Array> => {
  const [row] = await ground.database.across.query<{ path: string; size: number }>(sql`
    select blob_path as path, file_size_bytes as size from assets
    where organization_id = ${organization} and id = ${asset}`)
  return ground.blobs.read(row!.path, 0, row!.size)
}

/** Asserts that the organization has no reservations and no received objects left. */
async function assertClean(organization: string): Promise<void> {
  await ground.bench.run()
  const [row] = await ground.database.across.query<{ bytes: number }>(sql`
    select coalesce(sum(reserved_bytes), 0)::bigint as bytes from uploads where organization_id = ${organization}`)
  assert.equal(row!.bytes, 0)
  const paths = await ground.stored(organization)
  assert.deepEqual(
    paths.filter((path) => path.includes('/uploads/')),
    [],
  )
  const assets = await ground.database.across.query<{ path: string }>(sql`
    select blob_path as path from assets where organization_id = ${organization} and deleted_at is null order by 1`)
  assert.deepEqual(
    paths.sort(),
    assets.map(({ path }) => path),
  )
}

test('a GeoTIFF becomes an item with a valid COG, thumbnail, geometry, datetime, provenance and stored bytes', async () => {
  const { organization, project, owner } = await ground.organize()
  const {
    upload: done,
    item_ids,
    accepted_count,
  } = await upload(owner, { project_id: project }, { 'NYC/LC08_L1TP_014032_20180615_B4.tif': scene })
  assert.deepEqual([done.status, done.reserved_bytes, accepted_count, item_ids.length], ['completed', 0, 1, 1])
  const item = await itemOf(owner, item_ids[0]!)
  assert.deepEqual(
    [item.type, item.name, item.datetime, item.upload_id, item.gsd],
    ['user_raster', 'LC08_L1TP_014032_20180615_B4', '2018-06-15T00:00:00.000Z', done.id, 3030],
  )
  const stac = await ground.ask<{ properties: Record<string, unknown> }>(owner, 'items.get_stac', { item_id: item.id })
  assert.equal(stac.properties['service:source'], 'ARCHIVE')
  const assets = await assetsOf(owner, item.id)
  assert.deepEqual(
    assets.map(({ key, roles }) => [key, roles]),
    [
      ['data', ['data']],
      ['thumbnail', ['thumbnail']],
    ],
  )
  const bytes = await blobOf(organization, assets[0]!.id)
  assert.deepEqual((await checkCogLayout(memorySource(bytes, 'cog'))).problems, [])
  assert.ok((await openRaster(memorySource(bytes, 'cog'))).bands[0]!.statistics)
  const total = assets.reduce((sum, asset) => sum + asset.file_size_bytes, 0)
  assert.equal(await storedBytes(owner.db, organization), total)
  const edges = await owner.db.query(sql`
    select relation, dst_type, dst_id from provenance_edges
    where organization_id = ${organization} and src_id = ${item.id}`)
  assert.deepEqual(edges, [{ relation: 'uploaded_by', dst_type: 'upload', dst_id: done.id }])
  const kinds = await owner.db.query<{ kind: string }>(sql`
    select kind from events where organization_id = ${organization} order by created_at, id`)
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['item.created', 'upload.completed'],
  )
  await assertClean(organization)
})

test('categorical values are kept in overviews; JPEG 2000 and vector files are ingested', async () => {
  const { organization, project, owner } = await ground.organize()
  const session = { project_id: project, is_categorical: true }
  const { upload: done } = await upload(owner, session, { 'b.jp2': jp2, 'fields 2024-03-01.geojson': geojson })
  assert.deepEqual([done.status, done.files.map(({ reason }) => reason)], ['completed', [null, null]])
  const [raster, vector] = await Promise.all(done.files.map(({ item_ids }) => itemOf(owner, item_ids[0]!)))
  assert.deepEqual([raster!.type, vector!.type, vector!.name], ['user_raster', 'user_vector', 'fields 2024-03-01'])
  assert.deepEqual(vector!.bbox, [10, 50, 11, 51])
  assert.equal(vector!.datetime, '2024-03-01T00:00:00.000Z')
  const facts = await owner.db.query<{ categorical: boolean }>(sql`
    select (raster->'bands'->0->>'categorical')::boolean as categorical from assets
    where organization_id = ${organization} and item_id = ${raster!.id} and key = 'data'`)
  assert.deepEqual(facts, [{ categorical: true }])
  await assertClean(organization)
})

test('valid files are ingested and others get a reason; without a valid file the session fails', async () => {
  const { organization, project, owner } = await ground.organize()
  const bad = {
    'picture.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'half.tif': scene.subarray(0, scene.length / 2),
    'rubbish.tif': bytesOf('II*\0 and then nothing that makes sense'),
    'notes.txt': bytesOf('hello'),
    'empty.tif': new Uint8Array(0),
    'bomb.tif': giantTiff(),
    'nowhere.tif': placelessTiff(),
    'mars.tif': marsTiff(),
    'lies.zip': zipOf([{ name: '../../a.tif', data: 'x' }]),
    'docs.zip': zipOf([{ name: 'readme.txt', data: 'x' }]),
    'bad.geojson': bytesOf('{"type":"FeatureCollection","features":[{'),
  }
  const some = await upload(owner, { project_id: project }, { 'good.tif': scene, ...bad })
  assert.deepEqual([some.upload.status, some.accepted_count, some.item_ids.length], ['completed', 1, 1])
  assert.match(some.upload.error_message ?? '', /11 of 12 files were refused/)
  const reasons = Object.fromEntries(some.upload.files.map(({ file_name, reason }) => [file_name, reason ?? '']))
  for (const [name, words] of Object.entries({
    'good.tif': /^$/,
    'picture.png': /PNG image.*gdal_translate/,
    'half.tif': /./,
    'rubbish.tif': /./,
    'notes.txt': /GeoTIFF, JPEG 2000/,
    'empty.tif': /empty/,
    'bomb.tif': /./,
    'nowhere.tif': /no georeferencing.*-a_srs/,
    'mars.tif': /it is of Mars, not of the Earth\.$/,
    'lies.zip': /points outside the archive/,
    'docs.zip': /"readme.txt"/,
    'bad.geojson': /./,
  }))
    assert.match(reasons[name]!, words, name)
  await assertClean(organization)

  const none = await upload(owner, { project_id: project }, { 'notes.txt': bytesOf('hello') })
  assert.deepEqual(
    [none.upload.status, none.upload.error_step, none.item_ids, none.accepted_count],
    ['failed', 'ingest', [], 0],
  )
  assert.match(none.upload.error_message ?? '', /not supported/)
  assert.deepEqual((await ground.complete(owner, none.sent)).upload, none.upload)
  await assertClean(organization)
})

test('each raster of a ZIP becomes a file of the session', async () => {
  const { organization, project, owner } = await ground.organize()
  const zip = zipOf([
    { name: 'a/one_2020-02-30.tif', data: scene },
    { name: 'a/two.tif', data: scene.subarray(0, 3000) },
    { name: 'a/readme.txt', data: 'x' },
    { name: 'three.TIF', data: scene },
  ])
  const { upload: done, accepted_count } = await upload(owner, { project_id: project }, { 'both.zip': zip })
  assert.deepEqual([done.status, done.item_ids.length, accepted_count], ['completed', 2, 1])
  assert.deepEqual(
    done.files.map(({ file_name, status }) => [file_name, status]),
    [
      ['both.zip', 'ingested'],
      ['both.zip/a/one_2020-02-30.tif', 'ingested'],
      ['both.zip/a/two.tif', 'refused'],
      ['both.zip/three.TIF', 'ingested'],
    ],
  )
  const items = await Promise.all(done.item_ids.map((id) => itemOf(owner, id)))
  assert.deepEqual(items.map(({ name, datetime }) => [name, datetime]).sort(), [
    ['one_2020-02-30', null],
    ['three', null],
  ])
  await assertClean(organization)
})

test('a file is attached to an item under its asset key, once', async () => {
  const { organization, project, owner } = await ground.organize()
  const { item_id } = await deliver(owner, project)
  const session = { project_id: project, target_item_id: item_id }
  const sent = await Promise.all(
    [{ asset_key: 'red' }, { asset_key: 'red' }, {}, {}].map((more) =>
      ground.send(owner, { ...session, ...more }, { 'B4.tif': scene }),
    ),
  )
  const ended: Completed[] = []
  for (const one of sent) ended.push(await ground.complete(owner, one))
  assert.deepEqual(
    ended.map(({ upload: { status }, item_ids }) => [status, item_ids]),
    [
      ['completed', [item_id]],
      ['failed', []],
      ['completed', [item_id]],
      ['completed', [item_id]],
    ],
  )
  assert.match(ended[1]!.upload.error_message ?? '', /already has an asset with the key "red"/)
  const keys = (await assetsOf(owner, item_id)).map(({ key }) => key)
  assert.deepEqual(keys.sort(), ['data', 'data_2', 'red'])
  await assert.rejects(
    ground.send(owner, { ...session, asset_key: 'red' }, { 'B4.tif': scene }),
    /already has an asset/,
  )
  await assertClean(organization)
})

test('a file cannot be attached to an item past its retention, swept or not', async () => {
  const { organization, project, owner } = await ground.organize()
  const { item_id } = await deliver(owner, project)
  const sent = await ground.send(owner, { project_id: project, target_item_id: item_id }, { 'B4.tif': scene })
  await owner.db.query(sql`
    update items set expires_at = ${owner.clock.now()} where organization_id = ${organization} and id = ${item_id}`)
  const { upload } = await ground.complete(owner, sent)
  assert.equal(upload.status, 'failed')
  assert.match(upload.error_message ?? '', /retention/)
})

test('ingestion needs enough storage and an existing target', async () => {
  const { organization, project, owner } = await ground.organize()
  const full = await ground.send(owner, { project_id: project }, { 'a.tif': scene })
  const lost = await ground.send(owner, { project_id: project, total_bytes: 20_000 }, { 'a.tif': scene })
  const { id: collection_id } = await ground.ask<{ id: string }>(owner, 'collections.create', {
    project_id: project,
    name: 'C',
  })
  const gone = await ground.send(
    owner,
    { project_id: project, target_collection_id: collection_id },
    { 'a.tif': scene },
  )
  await ground.ask(owner, 'collections.delete', { project_id: project, collection_id })
  assert.match((await ground.complete(owner, gone)).upload.error_message ?? '', /No collection/)
  const rest = await ground.ask<Upload>(owner, 'uploads.initiate', { project_id: project, total_bytes: 200e9 - 28_200 })
  const { upload: failed } = await ground.complete(owner, full)
  assert.match(failed.error_message ?? '', /The plan has \d+ bytes of storage left/)
  assert.equal((await ground.complete(owner, lost)).upload.status, 'completed')
  await ground.ask(owner, 'uploads.cancel', { upload_id: rest.id })
  await assertClean(organization)
})

test('the latest attempt continues after a crash, and changed bytes are rejected', async () => {
  const { organization, project, owner } = await ground.organize()
  await ground.bench.run()
  const sent = await ground.send(owner, { project_id: project }, { 'a.tif': scene, 'b.tif': scene })
  const [a, b] = [sent.files[0]!, sent.files[1]!]
  // A request that was aborted leaves everything to the queue.
  const left = { ...owner, signal: AbortSignal.abort() }
  const begun = await ground.complete(left, sent)
  assert.deepEqual([begun.upload.status, begun.item_ids, begun.accepted_count], ['ingesting', [], 2])
  assert.deepEqual(ground.bench.waiting(), ['uploads.ingest'])
  await assert.rejects(ground.ask(owner, 'uploads.cancel', { upload_id: sent.upload_id }), /is ingesting/)
  // A URL that is still valid overwrites verified bytes.
  await ground.blobs.putBytes(b.object_path, bytesOf('other bytes'), 'image/tiff')
  // An earlier attempt committed nothing, but left objects.
  await ground.blobs.putBytes(
    `organizations/${organization}/items/${fileIn(b.object_path)}/data.tif`,
    scene,
    'image/tiff',
  )
  await ground.bench.run()
  const { upload: done } = await ground.ask<{ upload: Upload }>(owner, 'uploads.get', { upload_id: sent.upload_id })
  assert.deepEqual(
    done.files.map(({ object_path, status }) => [object_path, status]),
    [
      [a.object_path, 'ingested'],
      [b.object_path, 'refused'],
    ],
  )
  assert.match(done.files[1]!.reason ?? '', /changed after it had been verified/)
  await ground.bench.once('uploads.ingest', { organization_id: organization, upload_id: sent.upload_id })
  assert.equal((await ground.ask<{ total: number }>(owner, 'items.list', { project_id: project })).total, 1)
  await assertClean(organization)
})

const fileIn = (object_path: string): string => object_path.split('/').at(-2)!

test('the same bytes give the same COG', async () => {
  const { organization, project, owner } = await ground.organize()
  const sums: string[] = []
  for (const name of ['a.tif', 'b.tif']) {
    const { item_ids } = await upload(owner, { project_id: project }, { [name]: scene })
    const [data] = await assetsOf(owner, item_ids[0]!)
    sums.push(sha256(await blobOf(organization, data!.id)))
  }
  assert.equal(sums[0], sums[1])
})

type Field = readonly [tag: number, type: 3 | 4 | 12, ...values: number[]]

/** A classic little-endian TIFF with exactly these fields. */
function tiffOf(fields: readonly Field[]): Uint8Array {
  const sizes = { 3: 2, 4: 4, 12: 8 }
  const bytes = Buffer.alloc(4096)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(fields.length, 8)
  let beyond = 10 + fields.length * 12 + 4
  for (const [index, [tag, type, ...values]] of fields.entries()) {
    const at = 10 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(values.length, at + 4)
    const length = values.length * sizes[type]
    let to = at + 8
    if (length > 4) {
      bytes.writeUInt32LE(beyond, at + 8)
      to = beyond
      beyond += length
    }
    for (const value of values) {
      if (type === 3) to = bytes.writeUInt16LE(value, to)
      else if (type === 4) to = bytes.writeUInt32LE(value, to)
      else to = bytes.writeDoubleLE(value, to)
    }
  }
  return bytes
}

const plain = (width: number, height: number): Field[] => [
  [256, 4, width],
  [257, 4, height],
  [258, 3, 8],
  [259, 3, 1],
  [262, 3, 1],
  [273, 4, 2000],
  [277, 3, 1],
  [278, 4, height],
  [279, 4, Math.min(width * height, 2000)],
]

/** A georeferenced TIFF that claims 40 gigapixels. */
const giantTiff = (): Uint8Array =>
  tiffOf([
    ...plain(200_000, 200_000),
    [33550, 12, 0.0001, 0.0001, 0],
    [33922, 12, 0, 0, 0, 10, 50, 0],
    [34735, 3, 1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326],
  ])

const placelessTiff = (): Uint8Array => tiffOf(plain(16, 16))

/** Degrees on a sphere of 3396.19 km. */
const marsTiff = (): Uint8Array =>
  tiffOf([
    ...plain(16, 16),
    [33550, 12, 1, 1, 0],
    [33922, 12, 0, 0, 0, 10, 50, 0],
    [34735, 3, 1, 1, 0, 3, 1024, 0, 1, 2, 2048, 0, 1, 32_767, 2057, 34736, 1, 0],
    [34736, 12, 3_396_190],
  ])
