import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { Upload } from '@swath/contract/schemas/upload.ts'
import { createMemorySource, openRaster } from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { buildZip } from '../../../test/zip-files.ts'
import { deliverItem } from '../../../test/test-services.ts'
import {
  openUploadServices,
  sha256,
  type CompletedUpload,
  type SentFiles,
  type UploadServices,
} from '../../../test/upload-services.ts'
import { sumStoredFileBytes } from '../usage/stored-bytes.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

let app: UploadServices
let scene: Uint8Array
let jp2: Uint8Array
before(async () => {
  app = await openUploadServices()
  const scenes = new URL('../../../demo/scenes/landsat8-nyc/', import.meta.url)
  const name = 'LC08_L1TP_014032_20180615_20180703_01_T1/LC08_L1TP_014032_20180615_B4.tif'
  scene = await readFile(new URL(name, scenes))
  jp2 = await readFile(new URL('../../../../../fixtures/rasters/jpeg2000/u16-gml-degrees.jp2', import.meta.url))
})
after(() => app.close())

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const square = { type: 'Polygon', coordinates: [[[10, 50], [11, 50], [11, 51], [10, 51], [10, 50]]] } // prettier-ignore
const geojson = encode(
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
): Promise<CompletedUpload & { sent: SentFiles }> => {
  const sent = await app.sendFiles(call, session, files)
  return { ...(await app.completeUpload(call, sent)), sent }
}

const getItem = async (call: Call, item_id: string): Promise<Item> =>
  (await app.callOperation<{ item: Item }>(call, 'items.get', { item_id })).item

const listAssets = async (call: Call, item_id: string): Promise<Asset[]> =>
  (await app.callOperation<{ assets: Asset[] }>(call, 'items.list_assets', { item_id })).assets

const readBlob = async (organization: string, asset: string): Promise<Uint8Array> => {
  const [row] = await app.database.unscoped.query<{ path: string; size: number }>(sql`
    select blob_path as path, file_size_bytes as size from assets
    where organization_id = ${organization} and id = ${asset}`)
  return app.blobs.read(row!.path, 0, row!.size)
}

/** Asserts that the organization has no reservations and no received objects left. */
async function assertClean(organization: string): Promise<void> {
  await app.taskRunner.runPending()
  const [row] = await app.database.unscoped.query<{ bytes: number }>(sql`
    select coalesce(sum(reserved_bytes), 0)::bigint as bytes from uploads where organization_id = ${organization}`)
  assert.equal(row!.bytes, 0)
  const paths = await app.listStoredPaths(organization)
  assert.deepEqual(
    paths.filter((path) => path.includes('/uploads/')),
    [],
  )
  const assets = await app.database.unscoped.query<{ path: string }>(sql`
    select blob_path as path from assets where organization_id = ${organization} and deleted_at is null order by 1`)
  assert.deepEqual(
    paths.sort(),
    assets.map(({ path }) => path),
  )
}

test('a GeoTIFF becomes an item with a valid COG, thumbnail, geometry, datetime, provenance and stored bytes', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const {
    upload: done,
    item_ids,
    accepted_count,
  } = await upload(owner, { project_id: project }, { 'NYC/LC08_L1TP_014032_20180615_B4.tif': scene })
  assert.deepEqual([done.status, done.reserved_bytes, accepted_count, item_ids.length], ['completed', 0, 1, 1])
  const item = await getItem(owner, item_ids[0]!)
  assert.deepEqual(
    [item.type, item.name, item.datetime, item.upload_id, item.gsd],
    ['user_raster', 'LC08_L1TP_014032_20180615_B4', '2018-06-15T00:00:00.000Z', done.id, 3030],
  )
  const stac = await app.callOperation<{ properties: Record<string, unknown> }>(owner, 'items.get_stac', {
    item_id: item.id,
  })
  assert.equal(stac.properties['service:source'], 'ARCHIVE')
  const assets = await listAssets(owner, item.id)
  assert.deepEqual(
    assets.map(({ key, roles }) => [key, roles]),
    [
      ['data', ['data']],
      ['thumbnail', ['thumbnail']],
    ],
  )
  const bytes = await readBlob(organization, assets[0]!.id)
  assert.deepEqual((await checkCogLayout(createMemorySource(bytes, 'cog'))).problems, [])
  assert.ok((await openRaster(createMemorySource(bytes, 'cog'))).bands[0]!.statistics)
  const total = assets.reduce((sum, asset) => sum + asset.file_size_bytes, 0)
  assert.equal(await sumStoredFileBytes(owner.db, organization), total)
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

test('categorical values are preserved in overviews; JPEG 2000 and vector files are ingested', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const session = { project_id: project, is_categorical: true }
  const { upload: done } = await upload(owner, session, { 'b.jp2': jp2, 'fields 2024-03-01.geojson': geojson })
  assert.deepEqual([done.status, done.files.map(({ reason }) => reason)], ['completed', [null, null]])
  const [raster, vector] = await Promise.all(done.files.map(({ item_ids }) => getItem(owner, item_ids[0]!)))
  assert.deepEqual([raster!.type, vector!.type, vector!.name], ['user_raster', 'user_vector', 'fields 2024-03-01'])
  assert.deepEqual(vector!.bbox, [10, 50, 11, 51])
  assert.equal(vector!.datetime, '2024-03-01T00:00:00.000Z')
  const bandRows = await owner.db.query<{ categorical: boolean }>(sql`
    select (raster->'bands'->0->>'categorical')::boolean as categorical from assets
    where organization_id = ${organization} and item_id = ${raster!.id} and key = 'data'`)
  assert.deepEqual(bandRows, [{ categorical: true }])
  await assertClean(organization)
})

test('valid files are ingested and others get a reason; without a valid file the session fails', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const invalidFiles = {
    'image.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'half.tif': scene.subarray(0, scene.length / 2),
    'rubbish.tif': encode('II*\0 and then nothing that makes sense'),
    'notes.txt': encode('hello'),
    'empty.tif': new Uint8Array(0),
    'bomb.tif': giantTiff(),
    'nowhere.tif': ungeoreferencedTiff(),
    'mars.tif': marsTiff(),
    'lies.zip': buildZip([{ name: '../../a.tif', data: 'x' }]),
    'docs.zip': buildZip([{ name: 'readme.txt', data: 'x' }]),
    'bad.geojson': encode('{"type":"FeatureCollection","features":[{'),
  }
  const mixed = await upload(owner, { project_id: project }, { 'good.tif': scene, ...invalidFiles })
  assert.deepEqual([mixed.upload.status, mixed.accepted_count, mixed.item_ids.length], ['completed', 1, 1])
  assert.match(mixed.upload.error_message ?? '', /11 of 12 files were refused/)
  const reasons = Object.fromEntries(mixed.upload.files.map(({ file_name, reason }) => [file_name, reason ?? '']))
  for (const [name, pattern] of Object.entries({
    'good.tif': /^$/,
    'image.png': /PNG image.*gdal_translate/,
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
    assert.match(reasons[name]!, pattern, name)
  await assertClean(organization)

  const none = await upload(owner, { project_id: project }, { 'notes.txt': encode('hello') })
  assert.deepEqual(
    [none.upload.status, none.upload.error_step, none.item_ids, none.accepted_count],
    ['failed', 'ingest', [], 0],
  )
  assert.match(none.upload.error_message ?? '', /not supported/)
  assert.deepEqual((await app.completeUpload(owner, none.sent)).upload, none.upload)
  await assertClean(organization)
})

test('each raster of a ZIP becomes a file of the session', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const zip = buildZip([
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
  const items = await Promise.all(done.item_ids.map((id) => getItem(owner, id)))
  assert.deepEqual(items.map(({ name, datetime }) => [name, datetime]).sort(), [
    ['one_2020-02-30', null],
    ['three', null],
  ])
  await assertClean(organization)
})

test('a file is attached to an item under its asset key, once', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const { item_id } = await deliverItem(owner, project)
  const session = { project_id: project, target_item_id: item_id }
  const sent = await Promise.all(
    [{ asset_key: 'red' }, { asset_key: 'red' }, {}, {}].map((more) =>
      app.sendFiles(owner, { ...session, ...more }, { 'B4.tif': scene }),
    ),
  )
  const responses: CompletedUpload[] = []
  for (const sentSession of sent) responses.push(await app.completeUpload(owner, sentSession))
  assert.deepEqual(
    responses.map(({ upload: { status }, item_ids }) => [status, item_ids]),
    [
      ['completed', [item_id]],
      ['failed', []],
      ['completed', [item_id]],
      ['completed', [item_id]],
    ],
  )
  assert.match(responses[1]!.upload.error_message ?? '', /already has an asset with the key "red"/)
  const keys = (await listAssets(owner, item_id)).map(({ key }) => key)
  assert.deepEqual(keys.sort(), ['data', 'data_2', 'red'])
  await assert.rejects(
    app.sendFiles(owner, { ...session, asset_key: 'red' }, { 'B4.tif': scene }),
    /already has an asset/,
  )
  await assertClean(organization)
})

test('a file cannot be attached to an item past its retention, swept or not', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const { item_id } = await deliverItem(owner, project)
  const sent = await app.sendFiles(owner, { project_id: project, target_item_id: item_id }, { 'B4.tif': scene })
  await owner.db.query(sql`
    update items set expires_at = ${owner.clock.now()} where organization_id = ${organization} and id = ${item_id}`)
  const { upload } = await app.completeUpload(owner, sent)
  assert.equal(upload.status, 'failed')
  assert.match(upload.error_message ?? '', /retention/)
})

test('ingestion needs enough storage and an existing target', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const fullSession = await app.sendFiles(owner, { project_id: project }, { 'a.tif': scene })
  const secondSession = await app.sendFiles(owner, { project_id: project, total_bytes: 20_000 }, { 'a.tif': scene })
  const { id: collection_id } = await app.callOperation<{ id: string }>(owner, 'collections.create', {
    project_id: project,
    name: 'C',
  })
  const orphanedSession = await app.sendFiles(
    owner,
    { project_id: project, target_collection_id: collection_id },
    { 'a.tif': scene },
  )
  await app.callOperation(owner, 'collections.delete', { project_id: project, collection_id })
  assert.match((await app.completeUpload(owner, orphanedSession)).upload.error_message ?? '', /No collection/)
  const fillerSession = await app.callOperation<Upload>(owner, 'uploads.initiate', {
    project_id: project,
    total_bytes: 200e9 - 28_200,
  })
  const { upload: failed } = await app.completeUpload(owner, fullSession)
  assert.match(failed.error_message ?? '', /The plan has \d+ bytes of storage left/)
  assert.equal((await app.completeUpload(owner, secondSession)).upload.status, 'completed')
  await app.callOperation(owner, 'uploads.cancel', { upload_id: fillerSession.id })
  await assertClean(organization)
})

test('the latest attempt continues after a crash, and changed bytes are rejected', async () => {
  const { organization, project, owner } = await app.createOrganization()
  await app.taskRunner.runPending()
  const sent = await app.sendFiles(owner, { project_id: project }, { 'a.tif': scene, 'b.tif': scene })
  const [a, b] = [sent.files[0]!, sent.files[1]!]
  // A request that was aborted leaves everything to the queue.
  const abortedCall = { ...owner, signal: AbortSignal.abort() }
  const response = await app.completeUpload(abortedCall, sent)
  assert.deepEqual([response.upload.status, response.item_ids, response.accepted_count], ['ingesting', [], 2])
  assert.deepEqual(app.taskRunner.pendingTasks(), ['uploads.ingest'])
  await assert.rejects(app.callOperation(owner, 'uploads.cancel', { upload_id: sent.upload_id }), /is ingesting/)
  // A URL that is still valid overwrites verified bytes.
  await app.blobs.putBytes(b.object_path, encode('other bytes'), 'image/tiff')
  // An earlier attempt committed nothing, but left objects.
  await app.blobs.putBytes(
    `organizations/${organization}/items/${fileIdIn(b.object_path)}/data.tif`,
    scene,
    'image/tiff',
  )
  await app.taskRunner.runPending()
  const { upload: done } = await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', {
    upload_id: sent.upload_id,
  })
  assert.deepEqual(
    done.files.map(({ object_path, status }) => [object_path, status]),
    [
      [a.object_path, 'ingested'],
      [b.object_path, 'refused'],
    ],
  )
  assert.match(done.files[1]!.reason ?? '', /changed after it had been verified/)
  await app.taskRunner.runTask(backgroundTaskTypes.ingestUpload, {
    organization_id: organization,
    upload_id: sent.upload_id,
  })
  assert.equal((await app.callOperation<{ total: number }>(owner, 'items.list', { project_id: project })).total, 1)
  await assertClean(organization)
})

const fileIdIn = (object_path: string): string => object_path.split('/').at(-2)!

test('the same bytes give the same COG', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const checksums: string[] = []
  for (const name of ['a.tif', 'b.tif']) {
    const { item_ids } = await upload(owner, { project_id: project }, { [name]: scene })
    const [data] = await listAssets(owner, item_ids[0]!)
    checksums.push(sha256(await readBlob(organization, data!.id)))
  }
  assert.equal(checksums[0], checksums[1])
})

type Field = readonly [tag: number, type: 3 | 4 | 12, ...values: number[]]

/** A classic little-endian TIFF with exactly these fields. */
function createTiff(fields: readonly Field[]): Uint8Array {
  const sizes = { 3: 2, 4: 4, 12: 8 }
  const bytes = Buffer.alloc(4096)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(fields.length, 8)
  let end = 10 + fields.length * 12 + 4
  for (const [index, [tag, type, ...values]] of fields.entries()) {
    const at = 10 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(values.length, at + 4)
    const length = values.length * sizes[type]
    let to = at + 8
    if (length > 4) {
      bytes.writeUInt32LE(end, at + 8)
      to = end
      end += length
    }
    for (const value of values) {
      if (type === 3) to = bytes.writeUInt16LE(value, to)
      else if (type === 4) to = bytes.writeUInt32LE(value, to)
      else to = bytes.writeDoubleLE(value, to)
    }
  }
  return bytes
}

const baseFields = (width: number, height: number): Field[] => [
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
  createTiff([
    ...baseFields(200_000, 200_000),
    [33550, 12, 0.0001, 0.0001, 0],
    [33922, 12, 0, 0, 0, 10, 50, 0],
    [34735, 3, 1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326],
  ])

const ungeoreferencedTiff = (): Uint8Array => createTiff(baseFields(16, 16))

/** Degrees on a sphere of 3396.19 km. */
const marsTiff = (): Uint8Array =>
  createTiff([
    ...baseFields(16, 16),
    [33550, 12, 1, 1, 0],
    [33922, 12, 0, 0, 0, 10, 50, 0],
    [34735, 3, 1, 1, 0, 3, 1024, 0, 1, 2, 2048, 0, 1, 32_767, 2057, 34736, 1, 0],
    [34736, 12, 3_396_190],
  ])
