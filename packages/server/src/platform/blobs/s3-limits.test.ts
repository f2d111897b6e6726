import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { monotonic_ms, systemClock } from '../clock.ts'
import { BlobsUnavailable } from './blobs.ts'
import { requestLimits, type S3Limits } from './s3-limits.ts'
import { openS3Blobs, type S3Blobs } from './s3.ts'

const limits: S3Limits = {
  connection_ms: 100,
  call_ms: 300,
  lowest_bytes_per_s: 1024 * 1024,
  idle_ms: 500,
  attempts: 3,
}

async function withStore(
  answer: RequestListener,
  work: (blobs: S3Blobs) => Promise<void>,
  within: S3Limits = limits,
): Promise<void> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = { accessKeyId: 'one', secretAccessKey: 'two' }
  const where = { bucket: 'scenes', prefix: '', region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` }
  const blobs = openS3Blobs({ ...where, public_endpoint: null, credentials, clock: systemClock, limits: within })
  try {
    await work(blobs)
  } finally {
    blobs.close()
    server.closeAllConnections()
    server.close()
  }
}

/** Asserts that every call fails as an outage within the timeout of one call, with some margin for a busy machine. */
async function assertOutage(asked: readonly Promise<unknown>[]): Promise<void> {
  const begin_ms = monotonic_ms()
  for (const outcome of await Promise.allSettled(asked)) {
    assert.equal(outcome.status, 'rejected')
    assert.ok(outcome.reason instanceof BlobsUnavailable, String(outcome.reason))
  }
  assert.ok(monotonic_ms() - begin_ms < limits.call_ms + 1500)
}

const parts = [{ number: 1, etag: 'a', size: 1 }]
const askAll = (blobs: S3Blobs): Promise<unknown>[] => [
  blobs.ping(),
  blobs.head('a/b'),
  blobs.read('a/b', 0, 10),
  blobs.stream('a/b'),
  blobs.putBytes('a/b', new Uint8Array(10), 'image/tiff'),
  blobs.delete('a/b'),
  blobs.listParts('a/b', 'sending'),
  blobs.joinParts('a/b', 'sending', parts, 'image/tiff'),
]

test('a store that never responds is an outage after the call timeout', () =>
  withStore(
    () => undefined,
    (blobs) => assertOutage(askAll(blobs)),
  ))

test('a store that responds 503 is an outage within the call timeout', () =>
  withStore(
    (_request, response) => response.writeHead(503).end(),
    (blobs) => assertOutage(askAll(blobs)),
  ))

test('a store that stops reading an upload is an outage after the idle timeout', { timeout: 20_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-limits-'))
  const path = join(folder, 'scene.tif')
  await writeFile(path, new Uint8Array(32 * 1024 * 1024))
  const patient = { ...limits, lowest_bytes_per_s: 16 * 1024 }
  await withStore(
    (request) => void request.once('data', () => request.pause()),
    (blobs) => assert.rejects(blobs.putFile('a/b', path, 'image/tiff'), BlobsUnavailable),
    patient,
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
      await assert.rejects(readAll(), BlobsUnavailable)
      assert.equal(received, 20)
    },
  ))

test('a reader that pauses longer than the idle timeout loses no data', () =>
  withStore(
    (_request, response) => response.end('x'.repeat(1_000_000)),
    async (blobs) => {
      const reader = (await blobs.stream('a/b')).getReader()
      let received = (await reader.read()).value?.length ?? 0
      await new Promise((resolve) => setTimeout(resolve, 1.5 * limits.idle_ms))
      for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.length
      assert.equal(received, 1_000_000)
    },
  ))

test('the limits for requests end a call within five seconds', () => {
  assert.ok(requestLimits.call_ms <= 5000 && requestLimits.connection_ms <= 2000 && requestLimits.idle_ms <= 10_000)
})
