import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Upload } from '@swath/contract/schemas/upload.ts'
import type { Call } from '../../engine/call.ts'
import { rejectedWith } from '../../../test/call-operation.ts'
import { testS3Endpoint, createTestBucket, type TestBucket } from '../../../test/buckets.ts'
import { openUploadServices, type SignedUpload, type UploadServices } from '../../../test/upload-services.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordStoredBytes, sumStoredFileBytes } from '../usage/stored-bytes.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/**
 * S3 accepts what a URL is signed for, whatever the state of its session. Without an S3 server a directory stands in for
 * the bucket, which does not ask the session here either.
 */
let app: UploadServices
let bucket: TestBucket | null = null
let store: BlobStore
before(async () => {
  bucket = testS3Endpoint ? await createTestBucket() : null
  app = await openUploadServices(async (disk) => {
    store = bucket?.blobs ?? { ...disk, kind: 's3' }
    return store
  })
})
after(async () => {
  await app?.close()
  await bucket?.close()
})

const quota_bytes = 200e9
const left_bytes = 5000
const media = { content_type: 'application/octet-stream' }

/** The status of the response. */
async function put(url: string, size = left_bytes): Promise<number> {
  const body = new Uint8Array(size).fill(1)
  if (bucket) return (await fetch(url, { method: 'PUT', body, headers: { 'content-type': media.content_type } })).status
  await app.putBytes(url, body)
  return 200
}

/** An organization with 5000 bytes of storage left. */
async function createAlmostFullOrganization() {
  const { owner, organization, project } = await app.createOrganization()
  const bytes_delta = quota_bytes - left_bytes
  await owner.transaction((tx) =>
    recordStoredBytes(tx, owner, [{ asset_id: null, object_path: 'x', bytes_delta, cause: 'delivered' }]),
  )
  const initiate = (total_bytes = left_bytes, outcomes: object = {}, call: Call = owner) =>
    app.callOperation<Upload>(call, 'uploads.initiate', { project_id: project, total_bytes, ...outcomes })
  const signUrl = (upload_id: string, file_name: string, size_bytes: number | null = left_bytes) =>
    app.callOperation<SignedUpload>(owner, 'uploads.signed_url', { upload_id, file_name, size_bytes, ...media })
  const signPartUrl = (upload_id: string, file_name: string, number: number, size_bytes: number) =>
    app.callOperation<SignedUpload>(owner, 'uploads.part_url', { upload_id, file_name, number, size_bytes, ...media })
  const cancel = async (upload_id: string): Promise<Upload> => {
    const upload = await app.callOperation<Upload>(owner, 'uploads.cancel', { upload_id })
    await app.taskRunner.runPending()
    return upload
  }
  const sweepAfter = async (minutes: number): Promise<void> => {
    app.clock.advance(minutes * 60_000)
    await app.taskRunner.runTask(backgroundTaskTypes.sweepUploads)
    await app.taskRunner.runPending()
  }
  return { owner, organization, initiate, signUrl, signPartUrl, cancel, sweepAfter }
}

test('an S3 URL needs a size, and the URLs of a session stay within its reservation', async () => {
  const { initiate, signUrl, signPartUrl } = await createAlmostFullOrganization()
  const { id } = await initiate(left_bytes, { file_count: 3 })
  await assert.rejects(signUrl(id, 'a', null), rejectedWith('validation', /size_bytes: is required/))
  await signUrl(id, 'a', 4000)
  await signUrl(id, 'a', 3000)
  await assert.rejects(signUrl(id, 'b', 1001), rejectedWith('validation', /more than the 1000 bytes/))
  await assert.rejects(signPartUrl(id, 'a', 1, 1001), rejectedWith('validation', /more than the 1000 bytes/))
  await signPartUrl(id, 'b', 1, 600)
  await signPartUrl(id, 'b', 2, 400)
  await signPartUrl(id, 'b', 1, 600)
  await assert.rejects(signPartUrl(id, 'b', 3, 1), rejectedWith('validation', /more than the 0 bytes/))
})

test('a reservation lasts until its URLs expire, and late objects are removed', async () => {
  const { owner, organization, initiate, signUrl, cancel, sweepAfter } = await createAlmostFullOrganization()
  const { id } = await initiate()
  const { upload_url, object_path } = await signUrl(id, 'a')
  assert.equal(await put(upload_url), 200)
  assert.equal((await cancel(id)).reserved_bytes, left_bytes)
  assert.deepEqual(await app.listStoredPaths(organization), [])
  for (const late of ['second', 'third']) {
    await assert.rejects(initiate(1), rejectedWith('quota-storage'), late)
    assert.equal(await put(upload_url), 200)
    await sweepAfter(30)
  }
  await sweepAfter(6)
  assert.deepEqual(await app.listStoredPaths(organization), [])
  const { upload } = await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', { upload_id: id })
  assert.equal(upload.reserved_bytes, 0)
  assert.equal(await sumStoredFileBytes(owner.db, organization), quota_bytes - left_bytes)
  assert.equal((await initiate()).reserved_bytes, left_bytes)
  // A PUT that began before the URL expired may end after the sweep.
  await store.putBytes(object_path, new Uint8Array(left_bytes), media.content_type)
  await sweepAfter(25 * 60)
  assert.deepEqual(await app.listStoredPaths(organization), [])
  const [unclean] = await owner.db.query<{ count: number }>(sql`
    select count(*) as count from uploads
    where organization_id = ${organization} and id = ${id} and clean_at is not null`)
  assert.equal(unclean!.count, 0)
})

test('the URLs of a completed or expired session keep their reservation', async () => {
  const { owner, initiate, signUrl, sweepAfter } = await createAlmostFullOrganization()
  const { id } = await initiate()
  const { upload_url, object_path } = await signUrl(id, 'a')
  assert.equal(await put(upload_url), 200)
  const sha256 = '0'.repeat(64)
  const files = [{ object_path, size: left_bytes, sha256 }]
  const error_text = await app.callOperation(owner, 'uploads.complete', { upload_id: id, files }).catch(String)
  const files_ = [{ ...files[0]!, sha256: /which is ([0-9a-f]{64})/.exec(String(error_text))![1]! }]
  const { upload } = await app.callOperation<{ upload: Upload }>(owner, 'uploads.complete', {
    upload_id: id,
    files: files_,
  })
  // The bytes are not a raster, so nothing of them is stored.
  assert.deepEqual([upload.status, upload.reserved_bytes], ['failed', left_bytes])
  await assert.rejects(initiate(1), rejectedWith('quota-storage'))
  await sweepAfter(66)
  const second = await initiate()
  app.clock.advance(23.5 * 3_600_000)
  await signUrl(second.id, 'a')
  await sweepAfter(30)
  assert.equal(
    (await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', { upload_id: second.id })).upload.reserved_bytes,
    left_bytes,
  )
})

test('part URLs and their reservation end with the multipart upload', async () => {
  const { owner, organization, initiate, signPartUrl, cancel } = await createAlmostFullOrganization()
  const { id } = await initiate()
  const first = await signPartUrl(id, 'a', 1, left_bytes)
  assert.equal(await put(first.upload_url), 200)
  const files = [{ object_path: first.object_path, size: left_bytes, sha256: '0'.repeat(64) }]
  await assert.rejects(
    app.callOperation(owner, 'uploads.complete', { upload_id: id, files }),
    rejectedWith('validation', /sha256/),
  )
  assert.deepEqual(await app.listStoredPaths(organization), [first.object_path])
  if (bucket) assert.ok((await put(first.upload_url)) >= 400)
  // Sent again in other parts: the object joined from the first parts is deleted.
  const secondParts = [await signPartUrl(id, 'a', 1, left_bytes - 1), await signPartUrl(id, 'a', 2, 1)]
  assert.equal(await store.head(first.object_path), null)
  await put(secondParts[0]!.upload_url, left_bytes - 1)
  // A multipart upload without a file is aborted, too.
  const orphan = `${first.object_path.slice(0, -1)}b`
  const multipart_id = await store.createMultipartUpload(orphan, media.content_type)
  const urlOptions = { expires_s: 60, media_type: media.content_type, base: 'http://swath.example', size: 10 }
  await put((await store.signUploadPart(orphan, multipart_id, 1, urlOptions)).url, 10)
  await cancel(id)
  assert.deepEqual(await store.listParts(orphan, multipart_id), [])
  assert.deepEqual(await app.listStoredPaths(organization), [])
  if (bucket) assert.ok((await put(secondParts[1]!.upload_url, 1)) >= 400)
  assert.equal((await initiate()).reserved_bytes, left_bytes)
})

test('open sessions are limited, and the error has the time until one expires', async () => {
  const { owner, initiate, cancel } = await createAlmostFullOrganization()
  const limitedCall: Call = { ...owner, quotas: { ...owner.quotas, open_uploads: 2 } }
  const first = await initiate(10, {}, limitedCall)
  app.clock.advance(3_600_000)
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => initiate(10, {}, limitedCall)))
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  await assert.rejects(initiate(10, {}, limitedCall), (error: { problem?: string; extra?: object }) => {
    assert.deepEqual([error.problem, error.extra], ['quota-exceeded', { retry_after_s: 23 * 3600 }])
    return true
  })
  await cancel(first.id)
  await initiate(10, {}, limitedCall)
  await initiate(10, {}, { ...limitedCall, quotas: { ...limitedCall.quotas, open_uploads: 0 } })
})
