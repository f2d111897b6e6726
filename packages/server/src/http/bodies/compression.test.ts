import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { chooseCoding, registerCompression } from './compression.ts'

test('the coding is the first of ours among those that a client weighs most', () => {
  const rows: readonly [accepted: string | undefined, coding: string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.5, br;q=0.8, gzip;q=0.9', 'gzip'],
    ['*', 'gzip'],
    ['zstd;q=0, *', 'gzip'],
    ['br, *;q=0.1', 'br'],
    ['gzip;q=0', null],
  ]
  for (const [accepted, coding] of rows) assert.equal(chooseCoding({ 'accept-encoding': accepted }), coding, accepted)
  assert.equal(chooseCoding({ 'accept-encoding': 'gzip, br' }, ['gzip']), 'gzip')
})

const text = JSON.stringify({ features: 'field '.repeat(1000) })

async function fetchBody(type: string, body: string | Buffer | Readable, headers: Record<string, string>, extra = {}) {
  const app = Fastify()
  registerCompression(app)
  app.get('/', (_, reply) =>
    reply
      .headers({ etag: '"a"', vary: 'accept', ...extra })
      .type(type)
      .send(body),
  )
  const response = await app.inject({ url: '/', headers })
  await app.close()
  return response
}

test('texts of any length are compressed with each coding, with a weak tag', async () => {
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  for (const [coding, decode] of Object.entries(decoders))
    for (const make of [() => text, () => Buffer.from(text), () => Readable.from([text]), () => text.repeat(300)]) {
      const body = make()
      const wanted = body instanceof Readable ? text : String(body)
      const { headers, rawPayload } = await fetchBody('application/json; charset=utf-8', body, {
        'accept-encoding': coding,
      })
      assert.equal(headers['content-encoding'], coding)
      assert.equal(headers['etag'], 'W/"a"')
      assert.equal(headers['vary'], 'accept, accept-encoding')
      assert.ok(rawPayload.length < wanted.length / 10)
      assert.equal(decode(rawPayload).toString(), wanted)
    }
})

test('images, short texts, streams of lines, ranges and answers to cookies are sent as they are', async () => {
  const accepted = { 'accept-encoding': 'gzip, br, zstd' }
  const rows: readonly [type: string, body: string, headers: Record<string, string>, extra: Record<string, string>][] =
    [
      ['image/png', text, accepted, {}],
      ['application/json', '{}', accepted, {}],
      ['application/x-ndjson', text, accepted, {}],
      ['text/event-stream', text, accepted, {}],
      ['application/json', text, accepted, { 'content-range': 'bytes 0-9/100' }],
      ['text/html', text, { ...accepted, cookie: 'session=1' }, {}],
      ['text/html', text, accepted, { 'set-cookie': 'form=1' }],
      ['application/json', text, { 'accept-encoding': 'compress' }, {}],
    ]
  for (const [type, body, headers, extra] of rows) {
    const response = await fetchBody(type, body, headers, extra)
    assert.equal(response.headers['content-encoding'], undefined, type)
    assert.equal(response.headers['etag'], '"a"')
    assert.equal(response.body, body)
  }
})

test('every type of text is compressed', async () => {
  for (const type of [
    'text/html',
    'text/csv; charset=utf-8',
    'application/geo+json',
    'application/problem+json',
    'application/vnd.oai.openapi+json;version=3.1',
    'application/xml',
    'application/gml+xml',
    'image/svg+xml',
    'application/vnd.mapbox-vector-tile',
  ])
    assert.equal((await fetchBody(type, text, { 'accept-encoding': 'br' })).headers['content-encoding'], 'br', type)
})
