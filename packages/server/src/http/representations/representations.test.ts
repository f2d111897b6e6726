import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsAssetDownloadOperation, itemsGetStacOperation } from '@swath/contract/operations/items.ts'
import { itemsTileRenderOperation } from '@swath/contract/operations/items.tile.ts'
import { contractRoutes, type RouteRepresentation } from '@swath/contract/routes.ts'
import { createBytesResponse } from '../../engine/operation-response.ts'
import type { CallResult } from '../../engine/pipeline/call-result.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { routeRepresentations } from './representations.ts'

const jsonResult = (operation: Operation, output: unknown, text: string | null = null): CallResult => ({
  kind: 'json',
  operation,
  status: 200,
  output,
  text,
  replayed: text !== null,
})

const represent = (name: RouteRepresentation, result: CallResult) =>
  routeRepresentations[name](result, 'https://api.example/route')

test('every representation that a route names exists', () => {
  for (const { representation, path } of contractRoutes)
    if (representation) assert.equal(typeof routeRepresentations[representation], 'function', path)
})

test('GeoJSON is the same document with another media type, and stored responses are sent byte for byte', () => {
  const representation = represent('geojson', jsonResult(itemsGetStacOperation, { type: 'Feature' }))
  assert.equal(representation.media_type, 'application/geo+json; charset=utf-8')
  assert.equal(representation.body, '{"type":"Feature"}')
  assert.equal(represent('geojson', jsonResult(itemsGetStacOperation, {}, '{ "kept": 1 }')).body, '{ "kept": 1 }')
  assert.throws(() =>
    represent('geojson', {
      kind: 'response',
      operation: itemsTileRenderOperation,
      response: createBytesResponse(new Uint8Array(1), 'image/png'),
    }),
  )
})

test('a redirect goes to the signed URL and is not cacheable', () => {
  const representation = represent(
    'redirect',
    jsonResult(itemsAssetDownloadOperation, { url: 'https://store.example/x?signature=1' }),
  )
  assert.equal(representation.status, 302)
  assert.equal(representation.headers['location'], 'https://store.example/x?signature=1')
  assert.equal(representation.headers['cache-control'], 'no-store')
  assert.equal(representation.body, null)
  assert.throws(() => represent('redirect', jsonResult(itemsAssetDownloadOperation, {})))
})

test('an image has the bytes, media type and headers of the response', () => {
  const body = new Uint8Array([1, 2])
  const representation = represent('image', {
    kind: 'response',
    operation: itemsTileRenderOperation,
    response: createBytesResponse(body, 'image/webp', { etag: '"a"' }),
  })
  assert.deepEqual(representation, { status: 200, media_type: 'image/webp', headers: { etag: '"a"' }, body })
  assert.throws(() => represent('image', jsonResult(itemsTileRenderOperation, {})))
})
