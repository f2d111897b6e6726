import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRandomPolygon } from '../../../../test/cql2/hostile-geometries.ts'
import { buildZip } from '../../../../test/zip-files.ts'
import { VectorFailure, type VectorFailureKind } from '../vector-failure.ts'
import { default_vector_limits, type VectorFile, type VectorLimits } from '../vector-file.ts'
import { convertToGeojson } from './convert-to-geojson.ts'

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
  const file = await convertToGeojson(path, `${path}.out`, { ...default_vector_limits, ...limits })
  const text = await readFile(`${path}.out`, 'utf8')
  assert.equal(Buffer.byteLength(text), file.size)
  return { file, features: (JSON.parse(text) as Pick<Result, 'features'>).features }
}

const hasFailure = (kind: VectorFailureKind, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof VectorFailure, String(error))
  assert.equal(error.kind, kind, error.message)
  assert.match(error.message, pattern)
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

test('rings are closed and oriented, heights preserved, empty parts removed, collections flattened', async () => {
  const clockwise = [[0, 0, 5], [0, 1, 5], [1, 1, 5], [1, 0, 5]] // prettier-ignore
  const [polygon] = (await read(JSON.stringify({ type: 'Polygon', coordinates: [clockwise, []] }))).features
  assert.deepEqual(polygon!.geometry.coordinates, [[...clockwise, clockwise[0]].toReversed()])
  const [flat] = (await read(nested(5))).features
  assert.deepEqual(flat!.geometry, { type: 'GeometryCollection', geometries: [point] })
  const empty = { type: 'MultiPolygon', coordinates: [] }
  assert.deepEqual((await read(collection(feature(empty), feature(point)))).features[0]!.geometry, null)
})

test('the item geometry is the only geometry, the convex hull, or split at the antimeridian', async () => {
  const concavePolygon = [[[0, 0], [4, 0], [4, 4], [2, 1], [0, 4], [0, 0]]] // prettier-ignore
  const single = (await read(JSON.stringify({ type: 'Polygon', coordinates: concavePolygon }))).file
  assert.deepEqual(single.geometry, { type: 'Polygon', coordinates: concavePolygon })
  const hull = (await read(collection(feature({ type: 'Polygon', coordinates: concavePolygon }), feature(point)))).file
  assert.deepEqual(hull.geometry, { type: 'Polygon', coordinates: [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]] }) // prettier-ignore
  const islands = [[179, -17], [-179, -16], [178, -18]].map((coordinates) => feature({ type: 'Point', coordinates })) // prettier-ignore
  const acrossAntimeridian = (await read(collection(...islands))).file
  assert.deepEqual(acrossAntimeridian.bbox, [178, -18, -179, -16])
  assert.equal(acrossAntimeridian.geometry.type, 'MultiPolygon')
  const world = { type: 'Polygon', coordinates: [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]] } // prettier-ignore
  assert.deepEqual((await read(JSON.stringify(world))).file.bbox, [-180, -90, 180, 90])
  assert.equal((await read(collection(feature(point), feature(point)))).file.geometry.type, 'Point')
  const line = [feature(point), feature({ type: 'Point', coordinates: [3, 4] })]
  assert.equal((await read(collection(...line))).file.geometry.type, 'LineString')
})

test('a feature across the antimeridian is split, and the file covers both sides', async () => {
  const crossing = { type: 'Polygon', coordinates: [[[175, -20], [185, -20], [185, -15], [175, -15], [175, -20]]] } // prettier-ignore
  const { file, features } = await read(collection(feature(crossing)))
  assert.equal(features[0]!.geometry.type, 'MultiPolygon')
  assert.deepEqual(file.bbox, [175, -20, -175, -15])
  assert.deepEqual(file.geometry, features[0]!.geometry)
  // In a system with a projection, or a geographic one that is named, an edge of more than half the earth is what it is.
  const wide = { type: 'Polygon', coordinates: [[[-18_924_313, -8_399_737], [18_924_313, -8_399_737], [18_924_313, 8_399_737], [-18_924_313, 8_399_737], [-18_924_313, -8_399_737]]] } // prettier-ignore
  const crs = { type: 'name', properties: { name: 'EPSG:3857' } }
  const mercator = await read(JSON.stringify({ ...JSON.parse(collection(feature(wide))), crs }))
  assert.equal(mercator.features[0]!.geometry.type, 'Polygon')
  assert.deepEqual(mercator.file.bbox.map(Math.round), [-170, -60, 170, 60])
  const tooFar = { type: 'Point', coordinates: [361, 0] }
  await assert.rejects(read(collection(feature(tooFar))), hasFailure('invalid', /within ±180/))
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
    [collection(feature(point, 'x')), 'invalid', /Feature 1: Its properties/],
    [collection(feature({ type: 'Circle', coordinates: [1, 2] })), 'invalid', /^Feature 1: The geometry has a type that GeoJSON does not have\.$/],
    [collection(feature(point), feature({ type: 'Point', coordinates: ['1', 2] })), 'invalid', /^Feature 2: The geometry has coordinates that are not numbers\.$/],
    [collection(feature({ type: 'Polygon', coordinates: [[[0, 0], [1, 1]]] })), 'invalid', /^Feature 1: Ring 1 has fewer than the three different positions/],
    [collection(feature({ type: 'LineString', coordinates: [[0, 0]] })), 'invalid', /two positions/],
    [collection(feature({ type: 'Point', coordinates: [500_000, 4_649_776] })), 'invalid', /Reproject/],
    ['{"type":"Point","coordinates":[NaN,1]}', 'damaged', /not valid JSON/],
    ['{"type":"Point","coordinates":[1e999,1]}', 'invalid', /not numbers/],
    [collection(feature(point)).slice(0, -3), 'damaged', /not complete/],
    ['{"type":"Point","coordinates":[1,2],"x":"', 'damaged', /not complete/],
    [nested(10_000), 'invalid', /deeper than 200/],
    [nested(20), 'invalid', /deeper than 8/],
    [collection(feature(point, JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`))), 'invalid', /deeper than 10/],
  ] // prettier-ignore
  for (const [text, kind, pattern] of cases)
    await assert.rejects(read(text), hasFailure(kind, pattern), text.slice(0, 100))
  await assert.rejects(
    read(Buffer.from('{"type":"Feature","geometry":null,"properties":{"a":"\xfc"}}', 'latin1')),
    hasFailure('damaged', /UTF-8/),
  )
})

test('an unknown coordinate reference system is rejected by name; a known one is converted', async () => {
  const withCrs = (name: unknown) =>
    JSON.stringify({ ...JSON.parse(collection(feature(point))), crs: { type: 'name', properties: { name } } })
  await assert.rejects(
    read(withCrs('urn:ogc:def:crs:EPSG::99999')),
    hasFailure('no_place', /EPSG::99999" is not known/),
  )
  await assert.rejects(read(withCrs('Hotine')), hasFailure('no_place', /Hotine/))
  await assert.rejects(read(withCrs(7)), hasFailure('no_place', /"crs"/))
  for (const name of [
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'EPSG:4326',
    'urn:ogc:def:crs:EPSG::4326',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
  ]) {
    assert.deepEqual((await read(withCrs(name))).features[0]!.geometry, point)
  }
  const [converted] = (await read(withCrs('http://www.opengis.net/def/crs/EPSG/0/3857'))).features
  assert.ok(Math.abs((converted!.geometry.coordinates as number[])[0]! - 0.000_008_983) < 1e-9)
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
  for (const [limits, pattern] of cases) await assert.rejects(read(three, limits), hasFailure('too_large', pattern))
  assert.equal((await read(three)).file.positions, 4)
})

test('KML with a document type, malformed KML and other XML are rejected; typed fields are parsed', async () => {
  const kml = (content: string, prolog = ''): string =>
    `<?xml version="1.0"?>${prolog}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`
  const entityBomb = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  await assert.rejects(read(kml('<name>&b;</name>', entityBomb)), hasFailure('unsafe', /document type/))
  await assert.rejects(
    read(kml('', `<!-- a --> <?b c?>\n<!-- d -->${entityBomb}`)),
    hasFailure('unsafe', /document type/),
  )
  await assert.rejects(
    read(kml('', '<!DOCTYPE kml SYSTEM "file:///etc/passwd">')),
    hasFailure('unsafe', /document type/),
  )
  await assert.rejects(read(`${'<!-- a -->'.repeat(50_000)}<x/>`), hasFailure('not_vector', /not KML/))
  await assert.rejects(read(kml('<name>&b;</name>')), hasFailure('damaged', /well-formed/))
  await assert.rejects(read(kml('<Placemark>')), hasFailure('damaged', /well-formed/))
  await assert.rejects(read(kml('')), hasFailure('invalid', /no feature with a geometry/))
  await assert.rejects(read(kml('x'), { document_bytes: 50 }), hasFailure('too_large', /50 bytes/))
  const schema = '<Schema id="s"><SimpleField type="bool" name="wet"/><SimpleField type="int" name="n"/></Schema>'
  const data =
    '<ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="wet">0</SimpleData><SimpleData name="n"></SimpleData></SchemaData></ExtendedData>'
  const parts =
    '<MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4,5</coordinates></Point></MultiGeometry>'
  const timesAndDescription =
    '<description><![CDATA[<!DOCTYPE html><b>dry</b>]]></description><TimeSpan><begin>2020-05</begin><end>2021</end></TimeSpan>'
  const { file, features } = await read(
    kml(`${schema}<Placemark id="p"><name>Field</name>${timesAndDescription}${data}${parts}</Placemark>`),
  )
  const { timespan: _, ...properties } = features[0]!.properties
  assert.deepEqual(properties, { name: 'Field', description: '<!DOCTYPE html><b>dry</b>', wet: false, n: null })
  assert.deepEqual(features[0]!.geometry, { type: 'MultiPoint', coordinates: [[1, 2], [3, 4, 5]] }) // prettier-ignore
  assert.deepEqual([file.start, file.end], ['2020-05-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z'])
})

test('invalid archives are rejected with the missing, excessive or damaged part', async () => {
  const fixtures = new URL('../../../../../../fixtures/vectors/', import.meta.url)
  const validArchive = await readFile(new URL('rivers-zm.shp.zip', fixtures))
  for (const name of ['rivers.shp', 'rivers.dbf']) {
    const damagedArchive = Buffer.from(validArchive)
    damagedArchive.fill(0x55, damagedArchive.indexOf(name) + 40, damagedArchive.indexOf(name) + 48)
    await assert.rejects(read(damagedArchive), VectorFailure)
  }
  await assert.rejects(read(validArchive.subarray(0, 400)), hasFailure('not_vector', /not a ZIP archive/))
  await assert.rejects(read(buildZip([{ name: 'a.txt', data: 'x' }])), hasFailure('not_vector', /contains no/))
  await assert.rejects(read(buildZip([{ name: 'a.shp', data: 'x' }])), hasFailure('damaged', /no \.dbf/))
  await assert.rejects(read(buildZip([{ name: 'a.shp', data: 'x' }, { name: 'a.dbf', data: 'x' }])), hasFailure('no_place', /no \.prj/)) // prettier-ignore
  const twoShapefiles = buildZip([{ name: 'a.shp', data: '' }, { name: 'b.SHP', data: '' }]) // prettier-ignore
  await assert.rejects(read(twoShapefiles), hasFailure('unsupported', /2 shapefiles \("a.shp", "b.SHP"\)/))
  await assert.rejects(
    read(buildZip([{ name: '../a.geojson', data: '{}' }])),
    hasFailure('unsafe', /outside the archive/),
  )
  const compressionBomb = buildZip([{ name: 'a.geojson', data: new Uint8Array(8 << 20) }])
  await assert.rejects(read(compressionBomb), hasFailure('too_large', /compression ratio above/))
  assert.equal((await read(buildZip([{ name: 'in/a.json', data: JSON.stringify(point) }]))).file.format, 'geojson')
  const shp = Buffer.alloc(100)
  shp.writeInt32BE(9994)
  await assert.rejects(read(shp), hasFailure('not_vector', /Zip it with its \.dbf/))
})

test('KML with too many different fields is refused before it is parsed', async () => {
  const kmlOf = (element: (index: number) => string, count: number): string =>
    `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><ExtendedData>${Array.from(
      { length: count },
      (_, index) => element(index),
    ).join('')}</ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark></kml`
  // The end is missing, which the parser would find.
  const data = (index: number): string => `<Data name="a${index}"><value>1</value></Data>`
  const simple = (index: number): string => `<ns:SimpleData other="x"  name = 'a${index}'>1</ns:SimpleData>`
  const refused = hasFailure('too_large', /20 different properties/)
  await assert.rejects(read(kmlOf(data, 21), { fields: 20 }), refused)
  await assert.rejects(read(kmlOf(simple, 21), { fields: 20 }), refused)
  await assert.rejects(read(kmlOf(data, 20), { fields: 20 }), hasFailure('damaged', /not well-formed/))
})

test('of a polygon that crosses itself too often the item gets the convex hull', async () => {
  const geometryOf = async (positions: number) =>
    (await read(collection(feature(createRandomPolygon(positions))))).file.geometry as { coordinates: unknown[][] }
  assert.equal((await geometryOf(20)).coordinates[0]!.length, 21)
  const hull = await geometryOf(500)
  assert.ok(hull.coordinates[0]!.length < 60, `${hull.coordinates[0]!.length} positions`)
})
