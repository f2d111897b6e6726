import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientUrls } from './client-urls.ts'

const urls = {
  tiles: 'http://h/{z}/{x}/{y}.png?key=k',
  wmts: 'http://h/w.xml?key=k',
  tilejson: 'http://h/t.json?key=k',
}

test('a preset is in every URL, and braces stay templates', () => {
  assert.deepEqual(clientUrls(urls, { query: { profile: 'ndvi' }, overrides: {} }), {
    xyz: 'http://h/{z}/{x}/{y}.png?key=k&profile=ndvi',
    wmts: 'http://h/w.xml?key=k&profile=ndvi',
    tilejson: 'http://h/t.json?key=k&profile=ndvi',
    isExact: true,
  })
})

test('a picture that is not saved is in the tiles only, and it is said', () => {
  const { xyz, wmts, isExact } = clientUrls(urls, {
    query: { expression: 'b1+b2' },
    overrides: { rescale: '0,1' },
  })
  assert.equal(xyz, 'http://h/{z}/{x}/{y}.png?key=k&expression=b1%2Bb2&rescale=0%2C1')
  assert.deepEqual([wmts, isExact], [urls.wmts, false])
  assert.equal(clientUrls(urls, { query: { profile: 'ndvi' }, overrides: { colormap: 'gray' } }).isExact, false)
})
