import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Upload } from '@swath/contract/schemas/upload.ts'
import { Problem } from '../../engine/problem.ts'
import { BlobTooLarge } from '../../platform/blobs/blobs.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deliverItem } from '../../../test/test-services.ts'
import {
  openUploadServices,
  sha256,
  type SignedUpload,
  type CompletedUpload,
  type UploadServices,
} from '../../../test/upload-services.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app.close())

const problem =
  (name: string, words = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.problem, name, error.message)
    assert.match(error.message, words)
    return true
  }

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const reservedBy = async (organization: string): Promise<number> => {
  const [row] = await app.database.unscoped.query<{ bytes: number }>(sql`
    select coalesce(sum(reserved_bytes), 0)::bigint as bytes from uploads where organization_id = ${organization}`)
  return row!.bytes
}

test('initiate reserves the announced bytes within the storage quota', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const initiate = (total_bytes: number) =>
    app.callOperation<Upload>(owner, 'uploads.initiate', { project_id: project, total_bytes })
  const first = await initiate(150e9)
  assert.deepEqual([first.status, first.reserved_bytes, first.total_bytes], ['initiated', 150e9, 150e9])
  assert.equal(first.expires_at, '2026-03-02T00:00:00.000Z')
  await assert.rejects(initiate(51e9), problem('quota-storage', /has 50000000000 bytes of storage left/))
  const unknownSize = await initiate(0)
  assert.deepEqual([unknownSize.reserved_bytes, unknownSize.total_bytes], [1e9, 0])
  await app.callOperation(owner, 'uploads.cancel', { upload_id: first.id })
  assert.equal((await initiate(199e9)).reserved_bytes, 199e9)
  await assert.rejects(initiate(0), problem('quota-storage'))
  assert.equal(await reservedBy(organization), 200e9)
})

test('concurrent sessions cannot reserve the same storage', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const both = await Promise.allSettled(
    [1, 2, 3].map(() => app.callOperation(owner, 'uploads.initiate', { project_id: project, total_bytes: 120e9 })),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
  assert.equal(await reservedBy(organization), 120e9)
})

test('initiate requires write permission and a target in the project', async () => {
  const { project, owner, createMemberCall } = await app.createOrganization()
  const other = await app.createOrganization()
  const open = (call: typeof owner, more: Record<string, unknown> = {}) =>
    app.callOperation<Upload>(call, 'uploads.initiate', { project_id: project, total_bytes: 10, ...more })
  await assert.rejects(open(other.owner), problem('not-found'))
  await assert.rejects(open(await createMemberCall('member')), problem('not-a-member'))
  const { item_id, collection_id } = await deliverItem(owner, project)
  const foreign = await deliverItem(other.owner, other.project)
  await assert.rejects(open(owner, { target_collection_id: foreign.collection_id }), problem('not-found'))
  await assert.rejects(open(owner, { target_item_id: foreign.item_id }), problem('not-found'))
  await assert.rejects(open(owner, { asset_key: 'a\nb' }), problem('validation', /asset_key/))
  await assert.rejects(open(owner, { asset_key: 'a', file_count: 2 }), problem('validation', /several files/))
  const created = await open(owner, { target_item_id: item_id, asset_key: 'mask', target_collection_id: collection_id })
  assert.deepEqual([created.target_item_id, created.asset_key], [item_id, 'mask'])
  await assert.rejects(app.callOperation(other.owner, 'uploads.get', { upload_id: created.id }), problem('not-found'))
  const { uploads, total } = await app.callOperation<{ uploads: Upload[]; total: number }>(owner, 'uploads.list', {})
  assert.deepEqual([uploads.map(({ id }) => id), total], [[created.id], 1])
  const none = await app.callOperation<{ total: number }>(await createMemberCall('member'), 'uploads.list', {})
  assert.equal(none.total, 0)
})

test('upload URLs are within the prefix of the session for any file name, and limited by its reservation', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const { id: upload_id } = await app.callOperation<Upload>(owner, 'uploads.initiate', {
    project_id: project,
    total_bytes: 100,
    file_count: 4,
  })
  const signUrl = (file_name: string, more: Record<string, unknown> = {}) =>
    app.callOperation<SignedUpload>(owner, 'uploads.signed_url', { upload_id, file_name, ...more })
  const folder = `organizations/${organization}/uploads/${upload_id}/`
  const names = ['../../etc/passwd', 'a\\Wälder & Felder…tif', '..', '/']
  for (const name of names) {
    const { object_path } = await signUrl(name)
    assert.ok(object_path.startsWith(folder) && !object_path.includes('..'), object_path)
  }
  assert.equal((await signUrl('..')).object_path, (await signUrl('..')).object_path)
  await assert.rejects(signUrl('a fifth'), problem('invalid-state', /4 files/))
  await assert.rejects(signUrl('a\u0000b'), problem('validation', /file_name/))
  await assert.rejects(signUrl('..', { content_type: 'a\r\nb: c' }), problem('validation', /content_type/))
  await assert.rejects(signUrl('..', { size_bytes: 101 }), problem('validation', /size_bytes/))

  await assert.rejects(app.putBytes((await signUrl('..')).upload_url, new Uint8Array(101)), BlobTooLarge)
  await app.putBytes((await signUrl('..')).upload_url, new Uint8Array(60))
  await assert.rejects(app.putBytes((await signUrl('/')).upload_url, new Uint8Array(60)), BlobTooLarge)
  await app.putBytes((await signUrl('/')).upload_url, new Uint8Array(40))
  await app.putBytes((await signUrl('/')).upload_url, new Uint8Array(39))
  const { upload } = await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', { upload_id })
  assert.deepEqual([upload.status, upload.bytes_uploaded], ['uploading', 99])
  assert.deepEqual(
    upload.files.map(({ file_name, size_bytes, status }) => [file_name, size_bytes, status]),
    names.map((name) => [name, name === '..' ? 60 : name === '/' ? 39 : null, 'expected']),
  )
})

test('an interrupted multipart upload continues from the received parts', async () => {
  const { project, owner } = await app.createOrganization()
  const { id: upload_id } = await app.callOperation<Upload>(owner, 'uploads.initiate', {
    project_id: project,
    total_bytes: 30,
  })
  const part = async (number: number, text: string) => {
    const input = { upload_id, file_name: 'big.tif', number }
    const signUrl = await app.callOperation<SignedUpload>(owner, 'uploads.part_url', input)
    return { object_path: signUrl.object_path, etag: await app.putBytes(signUrl.upload_url, encode(text)) }
  }
  const one = await part(1, 'first part')
  await part(3, 'wrong')
  const [file] = (await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', { upload_id })).upload.files
  assert.deepEqual(
    file!.parts.map(({ number, size_bytes }) => [number, size_bytes]),
    [
      [1, 10],
      [3, 5],
    ],
  )
  const three = await part(3, 'the third')
  const body = encode('first partthe third')
  const complete = (parts: readonly object[] | null, size = body.length, sum = sha256(body)) =>
    app.callOperation<CompletedUpload>(owner, 'uploads.complete', {
      upload_id,
      files: [{ object_path: one.object_path, size, sha256: sum, parts }],
    })
  const namedParts = [
    { number: 3, etag: `"${three.etag}"` },
    { number: 1, etag: one.etag },
  ]
  await assert.rejects(complete([{ number: 2, etag: 'x' }]), problem('validation', /part 2 was not received/))
  await assert.rejects(complete([{ number: 1, etag: three.etag }]), problem('validation', /part 1 has another ETag/))
  await assert.rejects(complete(namedParts, 20), problem('validation', /size/))
  await assert.rejects(
    complete(namedParts, body.length, '0'.repeat(64)),
    problem('validation', /sha256.*send the file again/),
  )
  const { upload, accepted_count } = await complete(namedParts)
  // The bytes are not a raster: they were verified, and then refused.
  assert.deepEqual([upload.status, upload.files[0]!.sha256, accepted_count], ['failed', sha256(body), 0])
  assert.deepEqual((await complete(namedParts)).upload, upload)
})

test('parts of a file that is not completed are deleted, also in S3', async () => {
  const { project, owner } = await app.createOrganization()
  const sent = await app.sendFiles(owner, { project_id: project, file_count: 2 }, { a: encode('aaaa') })
  const { upload_id } = sent
  const part = { upload_id, file_name: 'b', number: 1 }
  const { object_path } = await app.callOperation<SignedUpload>(owner, 'uploads.part_url', part)
  const dropped: string[] = []
  const dropParts = async (path: string, sending: string) => {
    dropped.push(path)
    await owner.blobs.abortMultipartUpload(path, sending)
  }
  const { upload } = await app.completeUpload(
    { ...owner, blobs: { ...owner.blobs, abortMultipartUpload: dropParts } },
    sent,
  )
  assert.deepEqual(dropped, [object_path])
  assert.deepEqual(
    upload.files.map(({ file_name }) => file_name),
    ['a'],
  )
})

test('progress only increases, returns the session and cannot end it', async () => {
  const { project, owner } = await app.createOrganization()
  const { id: upload_id } = await app.callOperation<Upload>(owner, 'uploads.initiate', {
    project_id: project,
    total_bytes: 30,
  })
  const progress = (more: Record<string, unknown> = {}) =>
    app.callOperation<Upload>(owner, 'uploads.progress', { upload_id, ...more })
  assert.equal((await progress()).status, 'initiated')
  app.clock.advance(3_600_000)
  const response = await progress({ status: 'uploading', bytes_uploaded: 20 })
  assert.deepEqual(
    [response.status, response.bytes_uploaded, response.expires_at],
    ['uploading', 20, '2026-03-02T01:00:00.000Z'],
  )
  assert.equal((await progress({ bytes_uploaded: 10 })).bytes_uploaded, 20)
  assert.equal((await progress({ status: 'uploaded' })).status, 'uploaded')
  assert.equal((await progress({ status: 'uploaded' })).status, 'uploaded')
  await assert.rejects(progress({ status: 'uploading' }), problem('invalid-state'))
  await assert.rejects(progress({ status: 'completed' }), problem('validation'))
  await app.callOperation(owner, 'uploads.fail', { upload_id, error_message: 'gone', error_step: 'sending' })
  await assert.rejects(progress({ status: 'uploaded' }), problem('invalid-state', /accepts no more data/))
  assert.equal((await progress()).status, 'failed')
})

test('failed, cancelled and expired sessions release their reservation and delete all objects', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const session = async () => {
    const { id: upload_id } = await app.callOperation<Upload>(owner, 'uploads.initiate', {
      project_id: project,
      total_bytes: 30,
    })
    const wholeFileUrl = await app.callOperation<SignedUpload>(owner, 'uploads.signed_url', {
      upload_id,
      file_name: 'a',
    })
    await app.putBytes(wholeFileUrl.upload_url, new Uint8Array(10))
    const part = await app.callOperation<SignedUpload>(owner, 'uploads.part_url', {
      upload_id,
      file_name: 'a',
      number: 2,
    })
    await app.putBytes(part.upload_url, new Uint8Array(10))
    return { upload_id, whole: wholeFileUrl }
  }
  const [failed, cancelled, expiring] = [await session(), await session(), await session()]
  assert.equal((await app.listStoredPaths(organization)).length, 6)
  const one = { upload_id: failed.upload_id }
  const ended = await app.callOperation<Upload>(owner, 'uploads.fail', {
    ...one,
    error_message: 'No.',
    error_step: 'sending',
  })
  assert.deepEqual([ended.status, ended.error_message, ended.error_step], ['failed', 'No.', 'sending'])
  assert.equal(
    (await app.callOperation<Upload>(owner, 'uploads.cancel', { upload_id: cancelled.upload_id })).status,
    'cancelled',
  )
  for (const operation of ['uploads.cancel', 'uploads.signed_url', 'uploads.part_url'])
    await assert.rejects(
      app.callOperation(owner, operation, {
        ...one,
        ...(operation === 'uploads.cancel' ? {} : { file_name: 'b' }),
        ...(operation === 'uploads.part_url' ? { number: 1 } : {}),
      }),
      problem('invalid-state'),
    )
  await app.taskRunner.runPending()
  assert.equal((await app.listStoredPaths(organization)).length, 2)
  // A URL that was issued before is still valid.
  await app.putBytes(cancelled.whole.upload_url, new Uint8Array(5))

  app.clock.advance(23 * 3_600_000)
  await app.taskRunner.runTask(backgroundTaskTypes.sweepUploads)
  assert.equal(await reservedBy(organization), 30)
  app.clock.advance(3_600_000)
  await app.taskRunner.runTask(backgroundTaskTypes.sweepUploads)
  await app.taskRunner.runPending()
  const { upload } = await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', {
    upload_id: expiring.upload_id,
  })
  assert.equal(upload.status, 'expired')
  assert.equal(await reservedBy(organization), 0)
  app.clock.advance(2 * 3_600_000)
  await app.taskRunner.runTask(backgroundTaskTypes.sweepUploads)
  assert.deepEqual(await app.listStoredPaths(organization), [])
  const [unclean] = await app.database.unscoped.query<{ count: number }>(sql`
    select count(*) as count from uploads where organization_id = ${organization} and clean_at is not null`)
  assert.equal(unclean!.count, 0)
})

test('deleting a project cancels its open sessions with their reservations and objects', async () => {
  const { organization, project, owner } = await app.createOrganization()
  const { upload_id } = await app.sendFiles(owner, { project_id: project }, { a: encode('aaaa') })
  await app.callOperation(owner, 'projects.delete', { project_id: project })
  assert.equal(await reservedBy(organization), 0)
  await app.taskRunner.runPending()
  assert.deepEqual(await app.listStoredPaths(organization), [])
  await assert.rejects(app.callOperation(owner, 'uploads.get', { upload_id }), problem('not-found'))
})

test('complete verifies every file and lists all mismatches', async () => {
  const { project, owner } = await app.createOrganization()
  const { upload_id, files } = await app.sendFiles(
    owner,
    { project_id: project },
    { a: encode('aaaa'), b: encode('bbbb'), c: encode('cccc') },
  )
  const [a, b, c] = [files[0]!, files[1]!, files[2]!]
  const complete = (sent: readonly object[]) =>
    app.callOperation<CompletedUpload>(owner, 'uploads.complete', { upload_id, files: sent })
  const errorPaths = async (sent: readonly object[]): Promise<string[]> => {
    const error = await complete(sent).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof Problem && error.problem === 'validation', String(error))
    return (error.extra['errors'] as { path: string }[]).map(({ path }) => path)
  }
  const foreignFile = { ...c, object_path: `organizations/${newId()}/items/x` }
  assert.deepEqual(await errorPaths([{ ...a, size: 3 }, b, foreignFile]), ['files.0.size', 'files.2.object_path'])
  assert.deepEqual(await errorPaths([a, a]), ['files.1.object_path'])
  assert.deepEqual(await errorPaths([a, { ...b, sha256: sha256(encode('x')) }]), ['files.1.sha256'])
  await assert.rejects(complete([{ ...a, size: 9 }, b]), problem('quota-storage', /reserved 12/))
  const response = await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', { upload_id })
  assert.equal(response.upload.status, 'uploading')
  const upperCaseFiles = files.map((file) => ({ ...file, sha256: file.sha256.toUpperCase() }))
  assert.equal((await complete(upperCaseFiles)).upload.status, 'failed')
  await assert.rejects(complete([a, b]), problem('invalid-state', /other files/))
})

test('a session that is cancelled during complete answers invalid-state', async () => {
  const { project, owner } = await app.createOrganization()
  const sent = await app.sendFiles(owner, { project_id: project }, { a: encode('aaaa') })
  const { upload_id } = sent
  const head = async (path: string) => {
    await app.callOperation(owner, 'uploads.cancel', { upload_id })
    return owner.blobs.head(path)
  }
  const checkingCall = { ...owner, blobs: { ...owner.blobs, head } }
  await assert.rejects(app.completeUpload(checkingCall, sent), problem('invalid-state', /is cancelled/))
  const { upload } = await app.callOperation<{ upload: Upload }>(owner, 'uploads.get', { upload_id })
  assert.equal(upload.status, 'cancelled')
})
