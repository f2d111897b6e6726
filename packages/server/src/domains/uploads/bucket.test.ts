import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Upload } from '@swath/contract/shapes/upload.ts'
import type { Call } from '../../engine/call.ts'
import { refused } from '../../../test/asking.ts'
import { endpoint, openTestBucket, type TestBucket } from '../../../test/buckets.ts'
import { openUploads, type Address, type Uploads } from '../../../test/uploads.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordBytes, storedBytes } from '../usage/stored-bytes.ts'

/**
 * S3 accepts what a URL is signed for, whatever the state of its session. Without an S3 server a directory stands in for
 * the bucket, which does not ask the session here either.
 */
let ground: Uploads
let bucket: TestBucket | null = null
let store: Blobs
before(async () => {
  bucket = endpoint ? await openTestBucket() : null
  ground = await openUploads(async (disk) => {
    store = bucket?.blobs ?? { ...disk, kind: 's3' }
    return store
  })
})
after(async () => {
  await ground?.close()
  await bucket?.close()
})

const quota_bytes = 200e9
const room_bytes = 5000
const media = { content_type: 'application/octet-stream' }

/** The status of the response. */
async function put(url: string, size = room_bytes): Promise<number> {
  const body = new Uint8Array(size).fill(1)
  if (bucket) return (await fetch(url, { method: 'PUT', body, headers: { 'content-type': media.content_type } })).status
  await ground.put(url, body)
  return 200
}

/** An organization with 5000 bytes of storage left. */
async function almostFull() {
  const { owner, organization, project } = await ground.organize()
  const bytes_delta = quota_bytes - room_bytes
  await owner.transaction((tx) =>
    recordBytes(tx, owner, [{ asset_id: null, object_path: 'x', bytes_delta, cause: 'delivered' }]),
  )
  const initiate = (total_bytes = room_bytes, more: object = {}, call: Call = owner) =>
    ground.ask<Upload>(call, 'uploads.initiate', { project_id: project, total_bytes, ...more })
  const address = (upload_id: string, file_name: string, size_bytes: number | null = room_bytes) =>
    ground.ask<Address>(owner, 'uploads.signed_url', { upload_id, file_name, size_bytes, ...media })
  const part = (upload_id: string, file_name: string, number: number, size_bytes: number) =>
    ground.ask<Address>(owner, 'uploads.part_url', { upload_id, file_name, number, size_bytes, ...media })
  const cancel = async (upload_id: string): Promise<Upload> => {
    const upload = await ground.ask<Upload>(owner, 'uploads.cancel', { upload_id })
    await ground.bench.run()
    return upload
  }
  const sweepAfter = async (minutes: number): Promise<void> => {
    ground.clock.advance(minutes * 60_000)
    await ground.bench.once('uploads.sweep')
    await ground.bench.run()
  }
  return { owner, organization, initiate, address, part, cancel, sweepAfter }
}

test('an S3 URL needs a size, and the URLs of a session stay within its reservation', async () => {
  const { initiate, address, part } = await almostFull()
  const { id } = await initiate(room_bytes, { file_count: 3 })
  await assert.rejects(address(id, 'a', null), refused('validation', /size_bytes: is required/))
  await address(id, 'a', 4000)
  await address(id, 'a', 3000)
  await assert.rejects(address(id, 'b', 1001), refused('validation', /more than the 1000 bytes/))
  await assert.rejects(part(id, 'a', 1, 1001), refused('validation', /more than the 1000 bytes/))
  await part(id, 'b', 1, 600)
  await part(id, 'b', 2, 400)
  await part(id, 'b', 1, 600)
  await assert.rejects(part(id, 'b', 3, 1), refused('validation', /more than the 0 bytes/))
})

test('a reservation lasts until its URLs expire, and late objects are removed', async () => {
  const { owner, organization, initiate, address, cancel, sweepAfter } = await almostFull()
  const { id } = await initiate()
  const { upload_url, object_path } = await address(id, 'a')
  assert.equal(await put(upload_url), 200)
  assert.equal((await cancel(id)).reserved_bytes, room_bytes)
  assert.deepEqual(await ground.stored(organization), [])
  for (const late of ['second', 'third']) {
    await assert.rejects(initiate(1), refused('quota-storage'), late)
    assert.equal(await put(upload_url), 200)
    await sweepAfter(30)
  }
  await sweepAfter(6)
  assert.deepEqual(await ground.stored(organization), [])
  const { upload } = await ground.ask<{ upload: Upload }>(owner, 'uploads.get', { upload_id: id })
  assert.equal(upload.reserved_bytes, 0)
  assert.equal(await storedBytes(owner.db, organization), quota_bytes - room_bytes)
  assert.equal((await initiate()).reserved_bytes, room_bytes)
  // A PUT that began before the URL expired may end after the sweep.
  await store.putBytes(object_path, new Uint8Array(room_bytes), media.content_type)
  await sweepAfter(25 * 60)
  assert.deepEqual(await ground.stored(organization), [])
  const [left] = await owner.db.query<{ count: number }>(sql`
    select count(*) as count from uploads
    where organization_id = ${organization} and id = ${id} and clean_at is not null`)
  assert.equal(left!.count, 0)
})

test('the URLs of a completed or expired session keep their reservation', async () => {
  const { owner, initiate, address, sweepAfter } = await almostFull()
  const { id } = await initiate()
  const { upload_url, object_path } = await address(id, 'a')
  assert.equal(await put(upload_url), 200)
  const sha256 = '0'.repeat(64)
  const files = [{ object_path, size: room_bytes, sha256 }]
  const fault = await ground.ask(owner, 'uploads.complete', { upload_id: id, files }).catch(String)
  const files_ = [{ ...files[0]!, sha256: /which is ([0-9a-f]{64})/.exec(String(fault))![1]! }]
  const { upload } = await ground.ask<{ upload: Upload }>(owner, 'uploads.complete', { upload_id: id, files: files_ })
  // The bytes are not a raster, so nothing of them is stored.
  assert.deepEqual([upload.status, upload.reserved_bytes], ['failed', room_bytes])
  await assert.rejects(initiate(1), refused('quota-storage'))
  await sweepAfter(66)
  const second = await initiate()
  ground.clock.advance(23.5 * 3_600_000)
  await address(second.id, 'a')
  await sweepAfter(30)
  assert.equal(
    (await ground.ask<{ upload: Upload }>(owner, 'uploads.get', { upload_id: second.id })).upload.reserved_bytes,
    room_bytes,
  )
})

test('part URLs and their reservation end with the multipart upload', async () => {
  const { owner, organization, initiate, part, cancel } = await almostFull()
  const { id } = await initiate()
  const first = await part(id, 'a', 1, room_bytes)
  assert.equal(await put(first.upload_url), 200)
  const files = [{ object_path: first.object_path, size: room_bytes, sha256: '0'.repeat(64) }]
  await assert.rejects(ground.ask(owner, 'uploads.complete', { upload_id: id, files }), refused('validation', /sha256/))
  assert.deepEqual(await ground.stored(organization), [first.object_path])
  if (bucket) assert.ok((await put(first.upload_url)) >= 400)
  // Sent again in other parts: the object joined from the first parts is deleted.
  const again = [await part(id, 'a', 1, room_bytes - 1), await part(id, 'a', 2, 1)]
  assert.equal(await store.head(first.object_path), null)
  await put(again[0]!.upload_url, room_bytes - 1)
  // A multipart upload without a file is aborted, too.
  const orphan = `${first.object_path.slice(0, -1)}b`
  const sending = await store.beginParts(orphan, media.content_type)
  const terms = { expires_s: 60, media_type: media.content_type, base: 'http://house', size: 10 }
  await put((await store.signPart(orphan, sending, 1, terms)).url, 10)
  await cancel(id)
  assert.deepEqual(await store.listParts(orphan, sending), [])
  assert.deepEqual(await ground.stored(organization), [])
  if (bucket) assert.ok((await put(again[1]!.upload_url, 1)) >= 400)
  assert.equal((await initiate()).reserved_bytes, room_bytes)
})

test('open sessions are limited, and the error has the time until one expires', async () => {
  const { owner, initiate, cancel } = await almostFull()
  const bounded: Call = { ...owner, quotas: { ...owner.quotas, open_uploads: 2 } }
  const first = await initiate(10, {}, bounded)
  ground.clock.advance(3_600_000)
  const more = await Promise.allSettled([1, 2, 3].map(() => initiate(10, {}, bounded)))
  assert.deepEqual(more.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  await assert.rejects(initiate(10, {}, bounded), (error: { problem?: string; extra?: object }) => {
    assert.deepEqual([error.problem, error.extra], ['quota-exceeded', { retry_after_s: 23 * 3600 }])
    return true
  })
  await cancel(first.id)
  await initiate(10, {}, bounded)
  await initiate(10, {}, { ...bounded, quotas: { ...bounded.quotas, open_uploads: 0 } })
})
