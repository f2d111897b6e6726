import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { buildZip } from '../../../../test/zip-files.ts'
import { default_vector_limits } from '../vector-file.ts'
import { convertToGeojson } from './convert-to-geojson.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-names-'))
})
after(() => rm(folder, { recursive: true }))

async function read(bytes: Uint8Array | string) {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  await rm(`${path}.out`, { force: true })
  const { notes } = await convertToGeojson(path, `${path}.out`, default_vector_limits)
  const { features } = JSON.parse(await readFile(`${path}.out`, 'utf8')) as {
    features: { id: unknown; properties: Record<string, unknown> }[]
  }
  return { notes, ...features[0]! }
}

const note = 'The name "a" occurs twice among the properties of the features; the second one is called "a_2".'
const geojson = (properties: string): string =>
  `{"type":"Feature","id":9007199254740993,"geometry":{"type":"Point","coordinates":[1.1234567890123456,2]},"properties":${properties}}`
const kml = (data: string): string =>
  `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Schema id="s" name="s"><SimpleField type="int" name="n"/></Schema><Placemark><ExtendedData>${data}</ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark></Document></kml>`

test('a property of a repeated name in GeoJSON keeps both values, and the report says so', async () => {
  const { notes, properties } = await read(geojson('{"a":1,"b":2,"a":3}'))
  assert.deepEqual([notes, properties], [[note], { a: 1, b: 2, a_2: 3 }])
  assert.deepEqual((await read(geojson('{"a":1,"a_2":2}'))).notes, [])
})

test('twenty thousand properties of one name are refused by the limit of fields', async () => {
  const many = `{${Array.from({ length: 20_000 }, (_, at) => `"a":${at}`).join(',')}}`
  await assert.rejects(read(geojson(many)), /more than [\d,]+ (different )?(fields|properties)/)
})

test('a field of a repeated name in KML keeps both values, and the report says so', async () => {
  const field = (value: string): string => `<Data name="a"><value>${value}</value></Data>`
  const { notes, properties } = await read(kml(field('x') + field('y')))
  assert.deepEqual([notes, properties], [[note], { a: 'x', a_2: 'y' }])
})

test('whole numbers beyond 2^53 keep their digits as text in GeoJSON and KML', async () => {
  const found = await read(
    geojson('{"a":9007199254740993,"b":-12345678901234567890,"c":9007199254740991,"d":1e20,"e":"9007199254740993"}'),
  )
  assert.equal(found.id, '9007199254740993')
  assert.deepEqual(found.properties, {
    a: '9007199254740993',
    b: '-12345678901234567890',
    c: 9_007_199_254_740_991,
    d: 1e20,
    e: '9007199254740993',
  })
  const number = '<SchemaData schemaUrl="#s"><SimpleData name="n">9007199254740993</SimpleData></SchemaData>'
  assert.deepEqual((await read(kml(number))).properties, { n: '9007199254740993' })
})

/** A table of two columns of one name, and one point. */
function buildShapefile(): Uint8Array {
  const shape = Buffer.alloc(128)
  shape.writeInt32BE(9994, 0)
  shape.writeInt32BE(64, 24)
  shape.writeInt32LE(1000, 28)
  shape.writeInt32LE(1, 32)
  shape.writeInt32BE(1, 100)
  shape.writeInt32BE(10, 104)
  shape.writeInt32LE(1, 108)
  shape.writeDoubleLE(1, 112)
  shape.writeDoubleLE(2, 120)
  const column = Buffer.alloc(32)
  column.write('a')
  column.write('C', 11)
  column[16] = 1
  const head = Buffer.alloc(32)
  head.writeUInt32LE(1, 4)
  head.writeUInt16LE(32 + 64 + 1, 8)
  head.writeUInt16LE(3, 10)
  const table = Buffer.concat([head, column, column, Buffer.from('\r xy')])
  const prj = Buffer.from(
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
  )
  return buildZip([
    { name: 'a.shp', data: shape },
    { name: 'a.dbf', data: table },
    { name: 'a.prj', data: prj },
  ])
}

test('a column of a repeated name in a table keeps both values, and the report says so', async () => {
  const { notes, properties } = await read(buildShapefile())
  assert.deepEqual([notes, properties], [[note], { a: 'x', a_2: 'y' }])
})
