import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatGdalMetadata } from '../../cog/writer/band-metadata.ts'
import { parseGdalMetadata } from './gdal-metadata.ts'

/** As GDAL 3.6 writes `B&W`, `a < "b"` and `B&amp;W`: values twice, attributes once. */
const byGdal = `<GDALMetadata>
  <Item name="k&amp;y" sample="0">v&amp;amp;</Item>
  <Item name="DESCRIPTION" sample="0" role="description">B&amp;amp;W</Item>
  <Item name="DESCRIPTION" sample="1" role="description">a &amp;lt; &amp;quot;b&amp;quot;</Item>
  <Item name="DESCRIPTION" sample="2" role="description">B&amp;amp;amp;W</Item>
</GDALMetadata>`

test('entities in names of bands are decoded as GDAL does', () => {
  const { bands } = parseGdalMetadata(byGdal, 3)
  assert.deepEqual(
    bands.map(({ description }) => description),
    ['B&W', 'a < "b"', 'B&amp;W'],
  )
  assert.deepEqual(bands[0]!.items, { 'k&y': 'v&' })
})

test('names that other programs escape once, or by the number of a character, are decoded, too', () => {
  const item = (text: string): string => `<Item name="DESCRIPTION" sample="0" role="description">${text}</Item>`
  const nameOf = (text: string) => parseGdalMetadata(item(text), 1).bands[0]!.description
  assert.deepEqual(['B&amp;W', 'B&#38;W', '&#x20AC;', '&#0;', '&unknown;', 'B&W'].map(nameOf), [
    'B&W',
    'B&W',
    '€',
    '&#0;',
    '&unknown;',
    'B&W',
  ])
})

test('numbers that are no characters stay as they are written', () => {
  const text = '&#xD800; &#57343; &#x110000; &#xD7FF; &#xE000;'
  const xml = `<Item name="${text}">${text}</Item>`
  assert.deepEqual(parseGdalMetadata(xml, 0).file, {
    '&#xD800; &#57343; &#x110000; \uD7FF \uE000': '&#xD800; &#57343; &#x110000; \uD7FF \uE000',
  })
})

test('names that are written are read as they were', () => {
  const names = ['B&W', 'B&amp;W', '<"\'>', '&#38;']
  const bands = names.map((name) => ({ name, colour: 'gray', scale: 1, offset: 0 }))
  const text = formatGdalMetadata(
    bands,
    [],
    names.map(() => 'gray'),
    {},
  )!
  assert.deepEqual(
    parseGdalMetadata(text, names.length).bands.map(({ description }) => description),
    names,
  )
})

test('a scale that is zero or no number is none', () => {
  for (const [text, scale] of [
    ['0.0001', 0.0001],
    ['-2', -2],
    ['0', 1],
    ['0.0', 1],
    ['inf', 1],
    ['', 1],
  ] as const) {
    const xml = `<GDALMetadata><Item name="SCALE" sample="0" role="scale">${text}</Item></GDALMetadata>`
    assert.equal(parseGdalMetadata(xml, 1).bands[0]!.scale, scale, text)
  }
})
