import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VectorFailure } from '../vector-failure.ts'
import { default_vector_limits } from '../vector-file.ts'
import { readKml } from './kml.ts'
import type { RawFeature } from './raw-feature.ts'

const read = (text: string): RawFeature[] => [...readKml(Buffer.from(text), default_vector_limits).features]

const propertyOf = (feature: RawFeature | undefined, name: string): unknown =>
  (feature?.properties as Record<string, unknown> | undefined)?.[name]

const ring = '10,50 11,50 11,51 10,51 10,50'
const square = [
  [
    [10, 50],
    [11, 50],
    [11, 51],
    [10, 51],
    [10, 50],
  ],
]

const document = (coordinates: string, prefix = ''): string => {
  const p = prefix === '' ? '' : `${prefix}:`
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`
  return `<?xml version="1.0"?><${p}kml ${declaration}="http://www.opengis.net/kml/2.2"><${p}Document><${p}Placemark><${p}name>field</${p}name><${p}Polygon><${p}outerBoundaryIs><${p}LinearRing><${p}coordinates>${coordinates}</${p}coordinates></${p}LinearRing></${p}outerBoundaryIs></${p}Polygon></${p}Placemark></${p}Document></${p}kml>`
}

test('elements are read whatever the prefix of their namespace is', () => {
  for (const prefix of ['', 'kml', 'k']) {
    const [feature, ...others] = read(document(ring, prefix))
    assert.deepEqual(feature?.geometry, { type: 'Polygon', coordinates: square })
    assert.deepEqual([propertyOf(feature, 'name'), others.length], ['field', 0])
  }
})

test('the extension of Google is read under another prefix', () => {
  const track =
    '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:x="http://www.google.com/kml/ext/2.2"><Placemark><x:Track><when>2024-06-01T10:00:00Z</when><when>2024-06-01T10:01:00Z</when><x:coord>10 50 0</x:coord><x:coord>11 50 0</x:coord></x:Track></Placemark></kml>'
  assert.deepEqual(read(track)[0]?.geometry, {
    type: 'LineString',
    coordinates: [
      [10, 50, 0],
      [11, 50, 0],
    ],
  })
})

test('deeply nested folders take no time of their own', () => {
  const depth = 4000
  const nested = `<kml xmlns="http://www.opengis.net/kml/2.2">${'<Folder>'.repeat(depth)}<Placemark><name>${'x'.repeat(10_000)}</name><Point><coordinates>10, 50</coordinates></Point></Placemark>${'</Folder>'.repeat(depth)}</kml>`
  assert.deepEqual(read(nested)[0]?.geometry, { type: 'Point', coordinates: [10, 50] })
})

test('coordinates with spaces around their commas are read', () => {
  const spaced = '10 , 50  11, 50\n11 ,51 10,51   10, 50'
  assert.deepEqual(read(document(spaced))[0]?.geometry, { type: 'Polygon', coordinates: square })
})

test('a typed number with a decimal comma is that number', () => {
  const data = (value: string): string =>
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Schema id="s" name="s"><SimpleField name="area" type="double"/></Schema><Placemark><ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="area">${value}</SimpleData></SchemaData></ExtendedData><Point><coordinates>10,50</coordinates></Point></Placemark></kml>`
  const rows: readonly [text: string, value: number | null][] = [
    ['3,14', 3.14],
    ['-0,5', -0.5],
    ['3.14', 3.14],
    ['1,234,567', null],
    ['', null],
  ]
  for (const [text, value] of rows) assert.equal(propertyOf(read(data(text))[0], 'area'), value, text)
})

test('a document of another namespace, and a prefix that is not declared, are refused by name', () => {
  const other = document(ring).replace('http://www.opengis.net/kml/2.2', 'https://example.org/other')
  assert.deepEqual(read(other)[0]?.geometry, { type: 'Polygon', coordinates: square })
  const undeclared = document(ring, 'kml').replace(/ xmlns:kml="[^"]*"/, '')
  assert.throws(
    () => read(undeclared),
    (error: unknown) => error instanceof VectorFailure,
  )
})
