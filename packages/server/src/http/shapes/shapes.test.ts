import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsAssetDownload, itemsGetStac } from '@swath/contract/operations/items.ts'
import { itemsTileRender } from '@swath/contract/operations/items.tile.ts'
import { routes } from '@swath/contract/routes.ts'
import { bytes } from '../../engine/answer.ts'
import type { Outcome } from '../../engine/pipeline.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { shapes } from './shapes.ts'

const json = (operation: Operation, output: unknown, text: string | null = null): Outcome => ({
  form: 'json',
  operation,
  status: 200,
  output,
  text,
  replayed: text !== null,
})

test('every representation that a route names exists', () => {
  for (const { shape, path } of routes) if (shape) assert.equal(typeof shapes[shape], 'function', path)
})

test('GeoJSON is the same document with another media type, and stored responses are sent byte for byte', () => {
  const shaped = shapes.geojson(json(itemsGetStac, { type: 'Feature' }))
  assert.equal(shaped.media_type, 'application/geo+json; charset=utf-8')
  assert.equal(shaped.body, '{"type":"Feature"}')
  assert.equal(shapes.geojson(json(itemsGetStac, {}, '{ "kept": 1 }')).body, '{ "kept": 1 }')
  assert.throws(() =>
    shapes.geojson({ form: 'response', operation: itemsTileRender, answer: bytes(new Uint8Array(1), 'image/png') }),
  )
})

test('a redirect goes to the signed URL and is not cacheable', () => {
  const shaped = shapes.redirect(json(itemsAssetDownload, { url: 'https://store.example/x?signature=1' }))
  assert.equal(shaped.status, 302)
  assert.equal(shaped.headers['location'], 'https://store.example/x?signature=1')
  assert.equal(shaped.headers['cache-control'], 'no-store')
  assert.equal(shaped.body, null)
  assert.throws(() => shapes.redirect(json(itemsAssetDownload, {})))
})

test('an image has the bytes, media type and headers of the response', () => {
  const body = new Uint8Array([1, 2])
  const shaped = shapes.image({
    form: 'response',
    operation: itemsTileRender,
    answer: bytes(body, 'image/webp', { etag: '"a"' }),
  })
  assert.deepEqual(shaped, { status: 200, media_type: 'image/webp', headers: { etag: '"a"' }, body })
  assert.throws(() => shapes.image(json(itemsTileRender, {})))
})
