import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddresses } from './client-addresses.ts'

const urls = {
  tiles: 'http://h/{z}/{x}/{y}.png?key=k',
  wmts: 'http://h/w.xml?key=k',
  tilejson: 'http://h/t.json?key=k',
}

test('a preset is in every address, and braces stay templates', () => {
  assert.deepEqual(clientAddresses(urls, { query: { profile: 'ndvi' }, overrides: {} }), {
    xyz: 'http://h/{z}/{x}/{y}.png?key=k&profile=ndvi',
    wmts: 'http://h/w.xml?key=k&profile=ndvi',
    tilejson: 'http://h/t.json?key=k&profile=ndvi',
    isExact: true,
  })
})

test('a picture that is not saved is in the tiles only, and it is said', () => {
  const { xyz, wmts, isExact } = clientAddresses(urls, {
    query: { expression: 'b1+b2' },
    overrides: { rescale: '0,1' },
  })
  assert.equal(xyz, 'http://h/{z}/{x}/{y}.png?key=k&expression=b1%2Bb2&rescale=0%2C1')
  assert.deepEqual([wmts, isExact], [urls.wmts, false])
  assert.equal(clientAddresses(urls, { query: { profile: 'ndvi' }, overrides: { colormap: 'gray' } }).isExact, false)
})
