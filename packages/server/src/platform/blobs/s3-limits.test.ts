import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { monotonic_ms, systemClock } from '../clock.ts'
import { BlobStoreUnavailable } from './blobs.ts'
import { s3RequestRetryPolicy, type S3RetryPolicy } from './s3-limits.ts'
import { openS3BlobStore, type S3BlobStore } from './s3.ts'

const limits: S3RetryPolicy = {
  connect_timeout_ms: 100,
  call_timeout_ms: 300,
  min_bytes_per_s: 1024 * 1024,
  idle_timeout_ms: 500,
  max_attempts: 3,
}

async function withStore(
  handler: RequestListener,
  work: (blobs: S3BlobStore) => Promise<void>,
  storeLimits: S3RetryPolicy = limits,
): Promise<void> {
  const server = createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = { accessKeyId: 'one', secretAccessKey: 'two' }
  const location = { bucket: 'scenes', prefix: '', region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` }
  const blobs = openS3BlobStore({
    ...location,
    public_endpoint: null,
    credentials,
    clock: systemClock,
    limits: storeLimits,
  })
  try {
    await work(blobs)
  } finally {
    blobs.close()
    server.closeAllConnections()
    server.close()
  }
}

/** Asserts that every call fails as an outage within the timeout of one call, with some margin for a busy machine. */
async function assertOutage(calls: readonly Promise<unknown>[]): Promise<void> {
  const started_ms = monotonic_ms()
  for (const outcome of await Promise.allSettled(calls)) {
    assert.equal(outcome.status, 'rejected')
    assert.ok(outcome.reason instanceof BlobStoreUnavailable, String(outcome.reason))
  }
  assert.ok(monotonic_ms() - started_ms < limits.call_timeout_ms + 1500)
}

const parts = [{ number: 1, etag: 'a', size: 1 }]
const startAllCalls = (blobs: S3BlobStore): Promise<unknown>[] => [
  blobs.ping(),
  blobs.head('a/b'),
  blobs.read('a/b', 0, 10),
  blobs.stream('a/b'),
  blobs.putBytes('a/b', new Uint8Array(10), 'image/tiff'),
  blobs.delete('a/b'),
  blobs.listParts('a/b', 'sending'),
  blobs.completeMultipartUpload('a/b', 'sending', parts, 'image/tiff'),
]

test('a store that never responds is an outage after the call timeout', () =>
  withStore(
    () => undefined,
    (blobs) => assertOutage(startAllCalls(blobs)),
  ))

test('a store that responds 503 is an outage within the call timeout', () =>
  withStore(
    (_request, response) => response.writeHead(503).end(),
    (blobs) => assertOutage(startAllCalls(blobs)),
  ))

test('a store that stops reading an upload is an outage after the idle timeout', { timeout: 20_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-limits-'))
  const path = join(folder, 'scene.tif')
  await writeFile(path, new Uint8Array(32 * 1024 * 1024))
  const slowLimits = { ...limits, min_bytes_per_s: 16 * 1024 }
  await withStore(
    (request) => void request.once('data', () => request.pause()),
    (blobs) => assert.rejects(blobs.putFile('a/b', path, 'image/tiff'), BlobStoreUnavailable),
    slowLimits,
  )
  await rm(folder, { recursive: true })
})

test('a range that arrives too slowly is an outage after the call timeout', () =>
  withStore(
    (_request, response) => {
      response.writeHead(206, { 'content-length': '1000' })
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    },
    (blobs) => assertOutage([blobs.read('a/b', 0, 1000)]),
  ))

test('a stream may last longer than the call timeout, and is an outage after the idle timeout', () =>
  withStore(
    (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      let count = 0
      const drip = setInterval(() => (count += 1) <= 20 && response.write('x'), 25)
      response.on('close', () => clearInterval(drip))
    },
    async (blobs) => {
      const reader = (await blobs.stream('a/b')).getReader()
      let received = 0
      const readAll = async (): Promise<void> => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.length
      }
      await assert.rejects(readAll(), BlobStoreUnavailable)
      assert.equal(received, 20)
    },
  ))

test('a reader that pauses longer than the idle timeout loses no data', () =>
  withStore(
    (_request, response) => response.end('x'.repeat(1_000_000)),
    async (blobs) => {
      const reader = (await blobs.stream('a/b')).getReader()
      let received = (await reader.read()).value?.length ?? 0
      await new Promise((resolve) => setTimeout(resolve, 1.5 * limits.idle_timeout_ms))
      for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.length
      assert.equal(received, 1_000_000)
    },
  ))

test('the limits for requests end a call within five seconds', () => {
  assert.ok(
    s3RequestRetryPolicy.call_timeout_ms <= 5000 &&
      s3RequestRetryPolicy.connect_timeout_ms <= 2000 &&
      s3RequestRetryPolicy.idle_timeout_ms <= 10_000,
  )
})
