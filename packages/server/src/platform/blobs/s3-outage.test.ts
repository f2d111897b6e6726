import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { BlobNotFound, BlobStoreUnavailable } from './blobs.ts'
import { openS3BlobStore, type S3BlobStore } from './s3.ts'

/** An S3 server that responds to everything with one status. */
async function withStore(status: number, work: (blobs: S3BlobStore, server: Server) => Promise<void>): Promise<void> {
  const server = createServer((_request, response) => response.writeHead(status).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const blobs = openS3BlobStore({
    bucket: 'scenes',
    prefix: '',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    public_endpoint: null,
    credentials: { accessKeyId: 'one', secretAccessKey: 'two' },
    clock: systemClock,
  })
  try {
    await work(blobs, server)
  } finally {
    blobs.close()
    server.close()
  }
}

test('every call to an unreachable store fails as an outage', async () => {
  await withStore(200, async (blobs, server) => {
    await blobs.ping()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const calls = [blobs.ping(), blobs.head('a/b'), blobs.read('a/b', 0, 10), blobs.stream('a/b'), blobs.delete('a/b')]
    for (const outcome of await Promise.allSettled(calls)) {
      assert.equal(outcome.status, 'rejected')
      assert.ok(outcome.reason instanceof BlobStoreUnavailable)
    }
  })
})

test('a missing bucket fails ping; a missing object is not an outage', async () => {
  await withStore(404, async (blobs) => {
    await assert.rejects(blobs.ping(), BlobStoreUnavailable)
    assert.equal(await blobs.head('a/b'), null)
    await assert.rejects(blobs.read('a/b', 0, 10), BlobNotFound)
  })
  await withStore(503, (blobs) => assert.rejects(blobs.head('a/b'), BlobStoreUnavailable))
})
