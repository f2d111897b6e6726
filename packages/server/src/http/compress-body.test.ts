import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { compressBody, acceptsGzip } from './compress-body.ts'

test('gzip is accepted if Accept-Encoding lists it or *, unless its weight is 0', () => {
  for (const acceptEncoding of ['gzip', 'br, gzip;q=0.5', 'GZIP', '*', 'deflate, *;q=0.1'])
    assert.ok(acceptsGzip(acceptEncoding), acceptEncoding)
  for (const acceptEncoding of [undefined, '', 'br', 'gzip;q=0', 'identity', '*;q=0', 'gzip;q=0, *'])
    assert.ok(!acceptsGzip(acceptEncoding), acceptEncoding)
})

const tile = 'application/vnd.mapbox-vector-tile'
const body = Buffer.alloc(5000, 'features ')

async function fetchBody(media_type: string, bytes: Buffer, encoding: string) {
  const app = Fastify()
  app.get('/', (_, reply) => {
    reply.header('etag', '"a"').header('vary', 'authorization').type(media_type)
    return reply.send(compressBody(reply, bytes, media_type))
  })
  const { headers, rawPayload } = await app.inject({ url: '/', headers: { 'accept-encoding': encoding } })
  await app.close()
  return { headers, rawPayload }
}

test('compresses features for clients that accept gzip, with a weak tag', async () => {
  const { headers, rawPayload } = await fetchBody(tile, body, 'gzip')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.equal(headers['etag'], 'W/"a"')
  assert.equal(headers['vary'], 'authorization, accept-encoding')
  assert.ok(rawPayload.length < 200)
  assert.ok(gunzipSync(rawPayload).equals(body))
})

test('does not compress images, small bodies, or bodies for clients without gzip', async () => {
  const cases: [string, Buffer, string][] = [
    ['image/png', body, 'gzip'],
    [tile, body.subarray(0, 100), 'gzip'],
    [tile, body, 'br'],
  ]
  for (const [media_type, bytes, encoding] of cases) {
    const { headers, rawPayload } = await fetchBody(media_type, bytes, encoding)
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers['etag'], '"a"')
    assert.ok(rawPayload.equals(bytes))
  }
})
