import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatView, parseView } from './map-view.ts'

test('a view in the URL is read as it was written, to a metre', () => {
  const view = { lon: 11.354218, lat: -46.5, zoom: 9.204 }
  assert.equal(formatView(view), '11.35422,-46.5,9.2')
  assert.deepEqual(parseView(formatView(view)), { lon: 11.35422, lat: -46.5, zoom: 9.2 })
})

test('anything else in the URL is no view', () => {
  for (const text of ['', '1,2', '1,2,3,4', 'a,b,c', '181,0,1', '0,91,1', '0,0,-1', '0,0,25', 7, null, undefined])
    assert.equal(parseView(text), null, String(text))
})
