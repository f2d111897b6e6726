import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { testS3Credentials, testS3Endpoint, createTestBucket, type TestBucket } from '../../../test/buckets.ts'
import { systemClock } from '../clock.ts'
import { BlobNotFound, BlobSizeMismatch, BlobTooLarge, InvalidUploadParts, type BlobStore } from './blobs.ts'
import { openDiskBlobStore, type DiskBlobStore } from './disk.ts'
import { putFileInParts } from './s3-multipart-put.ts'
import { openS3BlobStore } from './s3.ts'
import { findUploadUrlOrigin } from './upload-origin.ts'

interface Opened {
  readonly blobs: BlobStore
  close(): Promise<void>
}

async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'swath-blobs-'))
}

async function openDisk(): Promise<Opened & { blobs: DiskBlobStore }> {
  const folder = await temporaryFolder()
  const blobs = await openDiskBlobStore({ folder, clock: systemClock, keys: [new Uint8Array(32)] })
  return { blobs, close: () => rm(folder, { recursive: true }) }
}

/** Without an S3 server only the disk store is tested; the S3 cases are not registered. */
const stores: Readonly<Record<string, () => Promise<Opened>>> = testS3Endpoint
  ? { disk: openDisk, s3: createTestBucket }
  : { disk: openDisk }

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value)

async function drain(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Uploads to a disk store as the HTTP route for signed URLs does. */
async function receiveAtUrl(blobs: DiskBlobStore, url: string, body: string): Promise<void> {
  const path = new URL(url).pathname.slice('/blobs/'.length)
  await blobs.receive(path, Readable.from([Buffer.from(body)]), { media_type: 'text/plain', max_bytes: 2 ** 30 })
}

for (const [name, open] of Object.entries(stores)) {
  describe(`blob store on ${name}`, () => {
    let opened: Opened
    let blobs: BlobStore
    before(async () => {
      opened = await open()
      blobs = opened.blobs
    })
    after(() => opened.close())

    test('a stored object has its size, its media type and an ETag that changes with the bytes', async () => {
      const path = 'items/a1/data.tif'
      const first = await blobs.putBytes(path, bytesOf('0123456789'), 'image/tiff; application=geotiff')
      assert.equal(first.size, 10)
      assert.deepEqual(await blobs.head(path), first)
      assert.equal(first.media_type, 'image/tiff; application=geotiff')
      const second = await blobs.putBytes(path, bytesOf('9876543210'), 'image/tiff')
      assert.notEqual(second.etag, first.etag)
      assert.equal(text(await blobs.read(path, 0, 100)), '9876543210')
      assert.equal((await blobs.head(path))?.media_type, 'image/tiff')
    })

    test('a range is read exactly and is cut at the end of the object', async () => {
      const path = 'items/a2/data.bin'
      await blobs.putBytes(path, bytesOf('0123456789'), 'application/octet-stream')
      assert.equal(text(await blobs.read(path, 2, 3)), '234')
      assert.equal(text(await blobs.read(path, 8, 30)), '89')
      assert.equal((await blobs.read(path, 10, 5)).length, 0)
      assert.equal((await blobs.read(path, 3, 0)).length, 0)
      assert.equal(text(await drain(await blobs.stream(path))), '0123456789')
      assert.equal(text(await drain(await blobs.stream(path, { start: 4, end: 6 }))), '456')
    })

    test('putFile moves a local file into the store completely', async () => {
      const folder = await temporaryFolder()
      const local = join(folder, 'scene.tif')
      const bytes = Buffer.alloc(3 * 1024 * 1024 + 17, 'swath')
      await writeFile(local, bytes)
      const metadata = await blobs.putFile('uploads/u1/scene.tif', local, 'image/tiff')
      assert.equal(metadata.size, bytes.length)
      assert.ok(bytes.equals(await drain(await blobs.stream('uploads/u1/scene.tif'))))
      await assert.rejects(readFile(local), /ENOENT/)
      await rm(folder, { recursive: true })
    })

    test('an empty object can be stored and read', async () => {
      await blobs.putBytes('items/a3/none', new Uint8Array(0), 'text/plain')
      assert.equal((await blobs.head('items/a3/none'))?.size, 0)
      assert.equal((await drain(await blobs.stream('items/a3/none'))).length, 0)
    })

    test('a missing object gives null from head and BlobNotFound from read and stream', async () => {
      assert.equal(await blobs.head('items/none/data.tif'), null)
      await assert.rejects(blobs.read('items/none/data.tif', 0, 1), BlobNotFound)
      await assert.rejects(blobs.read('items/none/data.tif', 0, 0), BlobNotFound)
      await assert.rejects(blobs.stream('items/none/data.tif'), BlobNotFound)
      await blobs.delete('items/none/data.tif')
    })

    test('a deleted object gives null from head', async () => {
      await blobs.putBytes('items/a4/data.tif', bytesOf('x'), 'image/tiff')
      await blobs.delete('items/a4/data.tif')
      assert.equal(await blobs.head('items/a4/data.tif'), null)
    })

    test('list returns only the objects under a prefix, ordered by path', async () => {
      for (const path of ['list/b/2', 'list/a-b', 'list/a/c', 'list/b/10', 'listen/x']) {
        await blobs.putBytes(path, bytesOf(path), 'text/plain')
      }
      const listedPaths: string[] = []
      for await (const { path, size } of blobs.list('list/')) {
        assert.equal(size, path.length)
        listedPaths.push(path)
      }
      assert.deepEqual(listedPaths, ['list/a-b', 'list/a/c', 'list/b/10', 'list/b/2'])
      const part: string[] = []
      for await (const { path } of blobs.list('list/b/1')) part.push(path)
      assert.deepEqual(part, ['list/b/10'])
      for await (const { path } of blobs.list('nothing/')) assert.fail(path)
    })

    test('a multipart upload accepts a part again, and removes its parts when it is completed', async () => {
      const path = 'uploads/u9/parts.bin'
      const uploadId = await blobs.createMultipartUpload(path, 'text/plain')
      const send = async (number: number, body: string): Promise<void> => {
        const signOptions = { expires_s: 60, media_type: 'text/plain', base: 'http://swath.example' }
        const { url } = await blobs.signUploadPart(path, uploadId, number, signOptions)
        if (blobs.kind === 's3') assert.equal((await fetch(url, { method: 'PUT', body })).status, 200)
        else await receiveAtUrl(blobs as DiskBlobStore, url, body)
      }
      const mebibytes = (letter: string, count: number): string => letter.repeat(count * 1024 * 1024)
      await send(7, 'the end')
      await send(2, 'wrong')
      await send(2, mebibytes('b', 5))
      await send(1, mebibytes('a', 6))
      const parts = await blobs.listParts(path, uploadId)
      assert.deepEqual(
        parts.map(({ number, size }) => [number, size]),
        [
          [1, 6 * 1024 * 1024],
          [2, 5 * 1024 * 1024],
          [7, 7],
        ],
      )
      assert.equal(await blobs.head(path), null)
      const mismatched = parts.map((part) => (part.number === 2 ? { ...part, etag: 'f'.repeat(32) } : part))
      await assert.rejects(blobs.completeMultipartUpload(path, uploadId, mismatched, 'text/plain'), InvalidUploadParts)
      const metadata = await blobs.completeMultipartUpload(path, uploadId, parts, 'text/plain')
      assert.deepEqual([metadata.size, metadata.media_type], [11 * 1024 * 1024 + 7, 'text/plain'])
      const whole = Buffer.from(await drain(await blobs.stream(path)))
      assert.ok(whole.equals(Buffer.from(`${mebibytes('a', 6)}${mebibytes('b', 5)}the end`)))
      assert.deepEqual(await blobs.listParts(path, uploadId), [])
    })

    test('aborting a multipart upload removes its parts and is idempotent', async () => {
      const path = 'uploads/u10/given-up.bin'
      const uploadId = await blobs.createMultipartUpload(path, 'text/plain')
      await blobs.abortMultipartUpload(path, uploadId)
      await blobs.abortMultipartUpload(path, uploadId)
      assert.deepEqual(await blobs.listParts(path, uploadId), [])
      await assert.rejects(
        blobs.completeMultipartUpload(path, uploadId, [{ number: 1, size: 1, etag: 'a' }], 'text/plain'),
      )
    })

    test('aborting all multipart uploads of a folder leaves those of other folders', async () => {
      const paths = ['uploads/u11/a/one.bin', 'uploads/u11/b/two.bin', 'uploads/u111/c/three.bin']
      const send = async (path: string): Promise<() => Promise<number>> => {
        const uploadId = await blobs.createMultipartUpload(path, 'text/plain')
        const signOptions = { expires_s: 60, media_type: 'text/plain', base: 'http://swath.example', size: 4 }
        const { url } = await blobs.signUploadPart(path, uploadId, 1, signOptions)
        if (blobs.kind === 's3') assert.equal((await fetch(url, { method: 'PUT', body: 'four' })).status, 200)
        else await receiveAtUrl(blobs as DiskBlobStore, url, 'four')
        return async () => (await blobs.listParts(path, uploadId)).length
      }
      const counts = await Promise.all(paths.map(send))
      await blobs.abortAllMultipartUploads('uploads/u11')
      assert.deepEqual(await Promise.all(counts.map((count) => count())), [0, 0, 1])
    })

    test('paths that leave the root, are absolute or change by decoding are rejected by every method', async () => {
      const paths = [
        '',
        '/a',
        'a/',
        'a//b',
        '../a',
        'a/../b',
        'a/..',
        '.a',
        'A',
        'a b',
        'a%2fb',
        'a\\b',
        'a~',
        'a\0',
        'ä',
        'a/.b',
      ]
      for (const path of [...paths, 'a'.repeat(513)]) {
        await assert.rejects(async () => blobs.head(path), RangeError, path)
        await assert.rejects(async () => blobs.read(path, 0, 1), RangeError, path)
        await assert.rejects(async () => blobs.putBytes(path, bytesOf('x'), 'text/plain'), RangeError, path)
        await assert.rejects(async () => blobs.delete(path), RangeError, path)
        const signOptions = { expires_s: 60, file_name: 'x', media_type: 'text/plain', base: 'http://swath.example' }
        await assert.rejects(async () => blobs.signGet(path, signOptions), RangeError, path)
      }
    })

    test('an invalid media type is rejected', async () => {
      for (const mediaType of ['', 'text', 'text/plain\r\nx: y', `text/${'x'.repeat(200)}`]) {
        await assert.rejects(async () => blobs.putBytes('items/a5/x', bytesOf('x'), mediaType), RangeError)
      }
      assert.equal(await blobs.head('items/a5/x'), null)
    })

    test('concurrent writers of one path leave one complete object', async () => {
      const path = 'items/race/data'
      const bodies = Array.from({ length: 12 }, (_, index) => `${index}`.repeat(20_000))
      await Promise.all(bodies.map((body) => blobs.putBytes(path, bytesOf(body), 'text/plain')))
      const storedText = text(await drain(await blobs.stream(path)))
      assert.ok(bodies.includes(storedText))
      assert.equal((await blobs.head(path))?.size, storedText.length)
    })
  })
}

describe('signed S3 URLs', () => {
  const options = {
    bucket: 'scenes',
    prefix: '',
    region: 'eu-west-1',
    credentials: testS3Credentials,
    clock: systemClock,
  }
  const remote = openS3BlobStore({
    ...options,
    endpoint: 'http://inside:9000',
    public_endpoint: 'https://files.example',
  })
  const parts = (url: string) => ({ url: new URL(url), query: new URL(url).searchParams })

  test('use the public endpoint, expire on time and sign the media type of a PUT', async () => {
    const { url, expires_at } = await remote.signPut('a/b.tif', { expires_s: 60, media_type: 'image/tiff', base: '' })
    assert.equal(parts(url).url.origin, 'https://files.example')
    assert.equal(await findUploadUrlOrigin(remote), 'https://files.example')
    assert.equal(parts(url).url.pathname, '/scenes/a/b.tif')
    assert.equal(parts(url).query.get('X-Amz-SignedHeaders'), 'content-type;host')
    assert.equal(parts(url).query.get('X-Amz-Expires'), '60')
    assert.ok(expires_at.getTime() > systemClock.now().getTime())
  })

  test('change their signature with the path and with the file name', async () => {
    const frozen = { ...options, clock: { now: () => new Date('2026-01-01T00:00:00Z') } }
    const store = openS3BlobStore({ ...frozen, endpoint: null, public_endpoint: null })
    const signatureOf = async (path: string, file_name: string): Promise<string | null> => {
      const signOptions = { expires_s: 60, file_name, media_type: 'image/tiff', base: '' }
      return parts((await store.signGet(path, signOptions)).url).query.get('X-Amz-Signature')
    }
    const first = await signatureOf('a/b.tif', 'b.tif')
    assert.equal(await signatureOf('a/b.tif', 'b.tif'), first)
    assert.notEqual(await signatureOf('a/c.tif', 'b.tif'), first)
    assert.notEqual(await signatureOf('a/b.tif', 'c.tif'), first)
  })
})

describe('disk store only', () => {
  test('an object may have the same name as a folder of objects', async () => {
    const { blobs, close } = await openDisk()
    await blobs.putBytes('items/a/b', bytesOf('1'), 'text/plain')
    await blobs.putBytes('items/a', bytesOf('2'), 'text/plain')
    const listedPaths: string[] = []
    for await (const { path } of blobs.list('')) listedPaths.push(path)
    assert.deepEqual(listedPaths, ['items/a', 'items/a/b'])
    await close()
  })

  test('a truncated object file is treated as missing, and old drafts are removed', async () => {
    const folder = await temporaryFolder()
    const options = { folder, clock: systemClock, keys: [new Uint8Array(32)] as const }
    const blobs = await openDiskBlobStore(options)
    await blobs.putBytes('items/torn/data', bytesOf('0123456789'), 'text/plain')
    const objectPath = join(folder, 'objects/items/torn/data~')
    const whole = await readFile(objectPath)
    await writeFile(objectPath, whole.subarray(0, whole.length - 3))
    assert.equal(await blobs.head('items/torn/data'), null)
    await writeFile(objectPath, whole.subarray(3))
    assert.equal(await blobs.head('items/torn/data'), null)

    const draft = join(folder, 'drafts/left')
    await writeFile(draft, 'x')
    await openDiskBlobStore(options)
    assert.equal(await readFile(draft, 'utf8'), 'x')
    const laterClock = { now: () => new Date(systemClock.now().getTime() + 25 * 3600 * 1000) }
    await openDiskBlobStore({ ...options, clock: laterClock })
    await assert.rejects(readFile(draft), /ENOENT/)
    await rm(folder, { recursive: true })
  })

  test('an object that is replaced or deleted while it is streamed is streamed completely', async () => {
    const { blobs, close } = await openDisk()
    const body = 'old'.repeat(500_000)
    await blobs.putBytes('items/held/data', bytesOf(body), 'text/plain')
    const stream = await blobs.stream('items/held/data')
    await blobs.putBytes('items/held/data', bytesOf('new'), 'text/plain')
    await blobs.delete('items/held/data')
    assert.equal(text(await drain(stream)), body)
    await close()
  })

  test('a prefix accepts no more than its quota under concurrent uploads, and replacing an object frees its bytes', async () => {
    const { blobs, close } = await openDisk()
    const quota = { folder: 'uploads/u1', bytes: 100 }
    const receive = (path: string, bytes: number, size?: number) =>
      blobs.receive(path, Readable.from([Buffer.alloc(bytes / 2), Buffer.alloc(bytes / 2)]), {
        media_type: 'text/plain',
        max_bytes: 1000,
        size: size ?? null,
        within: quota,
      })
    await receive('uploads/u1/a', 60)
    await assert.rejects(receive('uploads/u1/b', 60), BlobTooLarge)
    await receive('uploads/u1/a', 80)
    const results = await Promise.allSettled([receive('uploads/u1/c', 14), receive('uploads/u1/d', 14)])
    assert.ok(results.some(({ status }) => status === 'rejected'))
    await blobs.delete('uploads/u1/a')
    await assert.rejects(receive('uploads/u1/e', 60, 61), BlobSizeMismatch)
    await receive('uploads/u1/e', 60, 60)
    assert.equal(await blobs.head('uploads/u1/b'), null)
    await close()
  })
})

if (testS3Endpoint) {
  describe('S3 store only', () => {
    let opened: TestBucket
    before(async () => {
      opened = await createTestBucket()
    })
    after(() => opened.close())

    test('a signed URL serves the object under its file name with ranges, and accepts an upload by PUT', async () => {
      const { blobs } = opened
      const put = await blobs.signPut('uploads/u2/a.tif', { expires_s: 60, media_type: 'image/tiff', base: '' })
      const stored = await fetch(put.url, { method: 'PUT', body: 'abcdef', headers: { 'content-type': 'image/tiff' } })
      assert.equal(stored.status, 200)
      assert.equal((await blobs.head('uploads/u2/a.tif'))?.media_type, 'image/tiff')

      const signOptions = { expires_s: 900, file_name: 'Wald 2024.tif', media_type: 'image/tiff', base: '' }
      const get = await blobs.signGet('uploads/u2/a.tif', signOptions)
      const response = await fetch(get.url, { headers: { range: 'bytes=1-3' } })
      assert.equal(response.status, 206)
      assert.equal(await response.text(), 'bcd')
      assert.match(response.headers.get('content-disposition') ?? '', /attachment; filename="Wald 2024\.tif"/)
      assert.ok(Math.abs(get.expires_at.getTime() - systemClock.now().getTime() - 900_000) < 5000)
    })

    test('a signed upload URL accepts exactly the signed number of bytes', async () => {
      const { blobs } = opened
      const signOptions = { expires_s: 60, media_type: 'image/tiff', base: '', size: 6 }
      const uploadId = await blobs.createMultipartUpload('uploads/u3/b.tif', 'image/tiff')
      const whole = await blobs.signPut('uploads/u3/a.tif', signOptions)
      const part = await blobs.signUploadPart('uploads/u3/b.tif', uploadId, 1, signOptions)
      const put = async (url: string, body: string): Promise<number> =>
        (await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/tiff' } })).status
      const forgedUrl = `${whole.url.slice(0, -4)}0000`
      // moto, the S3 server of CI, does not verify signatures; a server that does rejects a wrong length like a wrong path.
      const verifiesSignatures = (await put(forgedUrl, 'abcdef')) === 403
      for (const { url } of [whole, part]) {
        assert.match(new URL(url).searchParams.get('X-Amz-SignedHeaders') ?? '', /content-length/)
        for (const body of verifiesSignatures ? ['abcdefg', 'abcde', ''] : [])
          assert.equal(await put(url, body), 403, body)
      }
      if (verifiesSignatures) assert.equal(await blobs.head('uploads/u3/a.tif'), null)
      assert.deepEqual([await put(whole.url, 'abcdef'), await put(part.url, 'abcdef')], [200, 200])
    })

    test('a large file is uploaded in parts and read back completely', async () => {
      const { blobs, client, bucket } = opened
      const folder = await temporaryFolder()
      const local = join(folder, 'large.bin')
      const bytes = Buffer.alloc(11 * 1024 * 1024 + 5, 'parts of a file ')
      await writeFile(local, bytes)
      const target = { Bucket: bucket, Key: 'swath/one/items/big/data.bin', ContentType: 'application/octet-stream' }
      await putFileInParts(client, { target, localPath: local, size: bytes.length, part_bytes: 5 * 1024 * 1024 })
      assert.ok(bytes.equals(await drain(await blobs.stream('items/big/data.bin'))))
      assert.equal((await blobs.head('items/big/data.bin'))?.media_type, 'application/octet-stream')
      await rm(folder, { recursive: true })
    })
  })
}
