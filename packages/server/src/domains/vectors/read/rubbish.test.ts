import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { zipOf } from '../../../../test/archives.ts'
import { VectorFailure, type VectorFailureKind } from '../vector-failure.ts'
import { vector_limits, type VectorFile, type VectorLimits } from '../vector-file.ts'
import { readInto } from './read-into.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-vectors-'))
})
after(() => rm(folder, { recursive: true }))

let count = 0

interface Result {
  readonly file: VectorFile
  readonly features: {
    id: unknown
    geometry: { type: string; coordinates: never }
    properties: Record<string, unknown>
  }[]
}

async function read(bytes: Uint8Array | string, limits: Partial<VectorLimits> = {}): Promise<Result> {
  const path = join(folder, `${count++}`)
  await writeFile(path, bytes)
  const file = await readInto(path, `${path}.out`, { ...vector_limits, ...limits })
  const text = await readFile(`${path}.out`, 'utf8')
  assert.equal(Buffer.byteLength(text), file.size)
  return { file, features: (JSON.parse(text) as Pick<Result, 'features'>).features }
}

const refused = (kind: VectorFailureKind, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof VectorFailure, String(error))
  assert.equal(error.kind, kind, error.message)
  assert.match(error.message, words)
  return true
}

const point = { type: 'Point', coordinates: [1, 2] }
const feature = (geometry: unknown, properties: unknown = {}): object => ({ type: 'Feature', geometry, properties })
const collection = (...features: unknown[]): string => JSON.stringify({ type: 'FeatureCollection', features })
const nested = (depth: number): string =>
  `${'{"type":"GeometryCollection","geometries":['.repeat(depth)}${JSON.stringify(point)}${']}'.repeat(depth)}`

test('GeoJSON is read as a collection, a feature, a geometry or one feature per line', async () => {
  const lines = [feature(point, { a: 1 }), feature(point, { b: 'ü' })].map((one) => JSON.stringify(one))
  for (const text of [
    lines.join('\n'),
    `\x1e${lines.join('\n\x1e')}\n`,
    `\uFEFF${collection(...lines.map((one) => JSON.parse(one)))}`,
  ]) {
    const { file, features } = await read(text.replaceAll('\x1e', ''))
    assert.deepEqual(
      features.map(({ id, properties }) => [id, properties]),
      [
        [1, { a: 1 }],
        [2, { b: 'ü' }],
      ],
    )
    assert.deepEqual(
      file.fields.map(({ name }) => name),
      ['a', 'b'],
    )
  }
  assert.equal((await read(JSON.stringify(point))).features.length, 1)
  assert.equal((await read(JSON.stringify({ geometry: point }))).features.length, 1)
  const ids = [{ ...feature(point), id: 'x' }, { ...feature(point), id: 7 }, feature(null)]
  assert.deepEqual(
    (await read(collection(...ids))).features.map(({ id }) => id),
    ['x', 7, 3],
  )
})

test('rings are closed and oriented, heights kept, empty parts removed, collections flattened', async () => {
  const clockwise = [[0, 0, 5], [0, 1, 5], [1, 1, 5], [1, 0, 5]] // prettier-ignore
  const [polygon] = (await read(JSON.stringify({ type: 'Polygon', coordinates: [clockwise, []] }))).features
  assert.deepEqual(polygon!.geometry.coordinates, [[...clockwise, clockwise[0]].toReversed()])
  const [flat] = (await read(nested(5))).features
  assert.deepEqual(flat!.geometry, { type: 'GeometryCollection', geometries: [point] })
  const empty = { type: 'MultiPolygon', coordinates: [] }
  assert.deepEqual((await read(collection(feature(empty), feature(point)))).features[0]!.geometry, null)
})

test('the item geometry is the only geometry, the convex hull, or split at the antimeridian', async () => {
  const bay = [[[0, 0], [4, 0], [4, 4], [2, 1], [0, 4], [0, 0]]] // prettier-ignore
  const single = (await read(JSON.stringify({ type: 'Polygon', coordinates: bay }))).file
  assert.deepEqual(single.geometry, { type: 'Polygon', coordinates: bay })
  const hull = (await read(collection(feature({ type: 'Polygon', coordinates: bay }), feature(point)))).file
  assert.deepEqual(hull.geometry, { type: 'Polygon', coordinates: [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]] }) // prettier-ignore
  const islands = [[179, -17], [-179, -16], [178, -18]].map((coordinates) => feature({ type: 'Point', coordinates })) // prettier-ignore
  const around = (await read(collection(...islands))).file
  assert.deepEqual(around.bbox, [178, -18, -179, -16])
  assert.equal(around.geometry.type, 'MultiPolygon')
  const world = { type: 'Polygon', coordinates: [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]] } // prettier-ignore
  assert.deepEqual((await read(JSON.stringify(world))).file.bbox, [-180, -90, 180, 90])
  assert.equal((await read(collection(feature(point), feature(point)))).file.geometry.type, 'Point')
  const line = [feature(point), feature({ type: 'Point', coordinates: [3, 4] })]
  assert.equal((await read(collection(...line))).file.geometry.type, 'LineString')
})

test('invalid GeoJSON is rejected with the reason', async () => {
  const cases: [string, VectorFailureKind, RegExp][] = [
    ['', 'not_vector', /is not GeoJSON/],
    ['hello', 'not_vector', /is not GeoJSON/],
    ['[1]', 'not_vector', /is not GeoJSON/],
    ['{"type":"Topology"}', 'not_vector', /"type" is not/],
    ['{"type":"FeatureCollection"}', 'not_vector', /list "features"/],
    ['{"type":"FeatureCollection","features":[],"features":[]}', 'not_vector', /twice/],
    [collection(), 'invalid', /no feature with a geometry/],
    [collection(feature(null)), 'invalid', /no feature with a geometry/],
    [collection(point), 'invalid', /Feature 1 is not a GeoJSON Feature|"type" must be/],
    [collection(feature(point), 7), 'invalid', /Feature 2/],
    [collection(feature(point, 'x')), 'invalid', /Feature 1: properties/],
    [collection(feature({ type: 'Circle', coordinates: [1, 2] })), 'invalid', /geometry.type/],
    [collection(feature(point), feature({ type: 'Point', coordinates: ['1', 2] })), 'invalid', /Feature 2: geometry.coordinates/],
    [collection(feature({ type: 'Polygon', coordinates: [[[0, 0], [1, 1]]] })), 'invalid', /coordinates.0 a ring/],
    [collection(feature({ type: 'LineString', coordinates: [[0, 0]] })), 'invalid', /two positions/],
    [collection(feature({ type: 'Point', coordinates: [500_000, 4_649_776] })), 'invalid', /Reproject/],
    ['{"type":"Point","coordinates":[NaN,1]}', 'damaged', /not valid JSON/],
    ['{"type":"Point","coordinates":[1e999,1]}', 'invalid', /finite/],
    [collection(feature(point)).slice(0, -3), 'damaged', /not complete/],
    ['{"type":"Point","coordinates":[1,2],"x":"', 'damaged', /not complete/],
    [nested(10_000), 'invalid', /deeper than 200/],
    [nested(20), 'invalid', /deeper than 8/],
    [collection(feature(point, JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`))), 'invalid', /deeper than 10/],
  ] // prettier-ignore
  for (const [text, kind, words] of cases) await assert.rejects(read(text), refused(kind, words), text.slice(0, 100))
  await assert.rejects(
    read(Buffer.from('{"type":"Feature","geometry":null,"properties":{"a":"\xfc"}}', 'latin1')),
    refused('damaged', /UTF-8/),
  )
})

test('an unknown coordinate reference system is rejected by name; a known one is converted', async () => {
  const named = (name: unknown) =>
    JSON.stringify({ ...JSON.parse(collection(feature(point))), crs: { type: 'name', properties: { name } } })
  await assert.rejects(read(named('urn:ogc:def:crs:EPSG::99999')), refused('no_place', /EPSG::99999" is not known/))
  await assert.rejects(read(named('Hotine')), refused('no_place', /Hotine/))
  await assert.rejects(read(named(7)), refused('no_place', /"crs"/))
  for (const name of [
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'EPSG:4326',
    'urn:ogc:def:crs:EPSG::4326',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  ]) {
    assert.deepEqual((await read(named(name))).features[0]!.geometry, point)
  }
  const [moved] = (await read(named('http://www.opengis.net/def/crs/EPSG/0/3857'))).features
  assert.ok(Math.abs((moved!.geometry.coordinates as number[])[0]! - 0.000_008_983) < 1e-9)
})

test('files beyond the limits of features, positions, bytes or fields are rejected', async () => {
  const three = collection(feature(point, { a: 1 }), feature(point, { b: 1 }), feature({ type: 'MultiPoint', coordinates: [[1, 2], [3, 4]] })) // prettier-ignore
  const cases: [Partial<VectorLimits>, RegExp][] = [
    [{ features: 2 }, /2 features/],
    [{ positions: 3 }, /3 positions/],
    [{ feature_positions: 1 }, /A feature has more than 1 positions/],
    [{ bytes: 200 }, /more than 200 bytes/],
    [{ feature_bytes: 60 }, /Feature 1 has more than 60 bytes/],
    [{ fields: 1 }, /1 different properties/],
  ]
  for (const [limits, words] of cases) await assert.rejects(read(three, limits), refused('too_large', words))
  assert.equal((await read(three)).file.positions, 4)
})

test('KML with a document type, malformed KML and other XML are rejected; typed fields are parsed', async () => {
  const kml = (inside: string, before = ''): string =>
    `<?xml version="1.0"?>${before}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  await assert.rejects(read(kml('<name>&b;</name>', laughs)), refused('unsafe', /document type/))
  await assert.rejects(read(kml('', `<!-- a --> <?b c?>\n<!-- d -->${laughs}`)), refused('unsafe', /document type/))
  await assert.rejects(read(kml('', '<!DOCTYPE kml SYSTEM "file:///etc/passwd">')), refused('unsafe', /document type/))
  await assert.rejects(read(`${'<!-- a -->'.repeat(50_000)}<x/>`), refused('not_vector', /root element/))
  await assert.rejects(read(kml('<name>&b;</name>')), refused('damaged', /well-formed/))
  await assert.rejects(read(kml('<Placemark>')), refused('damaged', /well-formed/))
  await assert.rejects(read(kml('')), refused('invalid', /no feature with a geometry/))
  await assert.rejects(read(kml('x'), { document_bytes: 50 }), refused('too_large', /50 bytes/))
  const schema = '<Schema id="s"><SimpleField type="bool" name="wet"/><SimpleField type="int" name="n"/></Schema>'
  const data =
    '<ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="wet">0</SimpleData><SimpleData name="n"></SimpleData></SchemaData></ExtendedData>'
  const parts =
    '<MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4,5</coordinates></Point></MultiGeometry>'
  const described =
    '<description><![CDATA[<!DOCTYPE html><b>dry</b>]]></description><TimeSpan><begin>2020-05</begin><end>2021</end></TimeSpan>'
  const { file, features } = await read(
    kml(`${schema}<Placemark id="p"><name>Field</name>${described}${data}${parts}</Placemark>`),
  )
  const { timespan: _, ...properties } = features[0]!.properties
  assert.deepEqual(properties, { name: 'Field', description: '<!DOCTYPE html><b>dry</b>', wet: false, n: null })
  assert.deepEqual(features[0]!.geometry, { type: 'MultiPoint', coordinates: [[1, 2], [3, 4, 5]] }) // prettier-ignore
  assert.deepEqual([file.start, file.end], ['2020-05-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'])
})

test('invalid archives are rejected with the missing, excessive or damaged part', async () => {
  const fixtures = new URL('../../../../../../fixtures/vectors/', import.meta.url)
  const whole = await readFile(new URL('rivers-zm.shp.zip', fixtures))
  for (const name of ['rivers.shp', 'rivers.dbf']) {
    const torn = Buffer.from(whole)
    torn.fill(0x55, torn.indexOf(name) + 40, torn.indexOf(name) + 48)
    await assert.rejects(read(torn), VectorFailure)
  }
  await assert.rejects(read(whole.subarray(0, 400)), refused('not_vector', /not a ZIP archive/))
  await assert.rejects(read(zipOf([{ name: 'a.txt', data: 'x' }])), refused('not_vector', /contains no/))
  await assert.rejects(read(zipOf([{ name: 'a.shp', data: 'x' }])), refused('damaged', /no \.dbf/))
  await assert.rejects(read(zipOf([{ name: 'a.shp', data: 'x' }, { name: 'a.dbf', data: 'x' }])), refused('no_place', /no \.prj/)) // prettier-ignore
  const two = zipOf([{ name: 'a.shp', data: '' }, { name: 'b.SHP', data: '' }]) // prettier-ignore
  await assert.rejects(read(two), refused('unsupported', /2 shapefiles \("a.shp", "b.SHP"\)/))
  await assert.rejects(read(zipOf([{ name: '../a.geojson', data: '{}' }])), refused('unsafe', /outside the archive/))
  const bomb = zipOf([{ name: 'a.geojson', data: new Uint8Array(8 << 20) }])
  await assert.rejects(read(bomb), refused('too_large', /tighter than/))
  assert.equal((await read(zipOf([{ name: 'in/a.json', data: JSON.stringify(point) }]))).file.format, 'geojson')
  const shp = Buffer.alloc(100)
  shp.writeInt32BE(9994)
  await assert.rejects(read(shp), refused('not_vector', /Zip it with its \.dbf/))
})
