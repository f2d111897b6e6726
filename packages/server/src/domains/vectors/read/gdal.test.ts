import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { default_vector_limits, type VectorFile } from '../vector-file.ts'
import { convertToGeojson } from './convert-to-geojson.ts'

interface GdalFeature {
  readonly geometry: { readonly type: string; readonly coordinates: unknown }
  readonly properties: Readonly<Record<string, unknown>>
}

const fixtures = fileURLToPath(new URL('../../../../../../fixtures/vectors/', import.meta.url))
const expectedByFile = JSON.parse(await readFile(join(fixtures, 'gdal.json'), 'utf8')) as Record<string, GdalFeature[]>

let count = 0
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-vectors-'))
})
after(() => rm(folder, { recursive: true }))

async function read(name: string): Promise<{ file: VectorFile; features: GdalFeature[] }> {
  const out = join(folder, `${name}-${count++}`)
  const file = await convertToGeojson(join(fixtures, name), out, default_vector_limits)
  return { file, features: (JSON.parse(await readFile(out, 'utf8')) as { features: GdalFeature[] }).features }
}

const listPositions = (geometry: GdalFeature['geometry']): number[][] => {
  const walk = (value: unknown): number[][] => {
    const list = value as unknown[]
    return typeof list[0] === 'number' ? [list as number[]] : list.flatMap(walk)
  }
  return walk(geometry.coordinates)
}

/** Within two millimetres; heights are unchanged. */
function assertSamePositions(actual: GdalFeature, expectedFeatures: GdalFeature, where: string): void {
  const [actualPositions, expectedPositions] = [
    listPositions(actual.geometry),
    listPositions(expectedFeatures.geometry),
  ]
  assert.equal(actualPositions.length, expectedPositions.length, where)
  for (const [at, position] of actualPositions.entries()) {
    for (const axis of [0, 1])
      assert.ok(Math.abs(position[axis]! - expectedPositions[at]![axis]!) < 2e-8, `${where} ${at}`)
    assert.ok(Math.abs((position[2] ?? 0) - (expectedPositions[at]![2] ?? 0)) < 1e-6, `${where} ${at} height`)
  }
}

/** Single geometries may be multi-part geometries with one part; KML does not distinguish them. */
const singleType = (type: string): string => type.replace('Multi', '')

const value = (actualValue: unknown, expectedValues: unknown): unknown => {
  if (typeof actualValue === 'number' && typeof expectedValues === 'number')
    return Math.abs(actualValue - expectedValues) < 1e-12 ? expectedValues : actualValue
  // GDAL 3.6 has no booleans in these formats.
  return typeof actualValue === 'boolean' && typeof expectedValues === 'number' ? Number(actualValue) : actualValue
}

for (const [name, expectedFeatures] of Object.entries(expectedByFile)) {
  test(`${name} has the same features, properties and positions as in GDAL`, async () => {
    const { file, features } = await read(name)
    assert.equal(features.length, expectedFeatures.length)
    assert.equal(file.features, expectedFeatures.length)
    for (const [at, feature] of expectedFeatures.entries()) {
      const actual = features[at]!
      assert.equal(singleType(actual.geometry.type), singleType(feature.geometry.type))
      assertSamePositions(actual, feature, `${name} ${at}`)
      const expectedValues = Object.entries(feature.properties).filter(
        ([key]) => !/^(Name|tessellate|extrude|visibility)$/.test(key),
      )
      assert.ok(expectedValues.length > 0)
      for (const [key, expected] of expectedValues)
        assert.equal(value(actual.properties[key] ?? null, expected), expected, key)
      if (feature.properties['Name'] !== undefined) assert.equal(actual.properties['name'], feature.properties['Name'])
    }
  })
}

test('a converted file has fields, geometry types, times, bounds and geometry', async () => {
  const { file: countries } = await read('countries.shp.zip')
  assert.deepEqual(
    countries.fields.map(({ name, type }) => [name, type]),
    [
      ['name', 'string'],
      ['people', 'integer'],
      ['label', 'string'],
    ],
  )
  assert.deepEqual([countries.format, countries.crs], ['shapefile', 'WGS_1984_Web_Mercator_Auxiliary_Sphere'])
  // From Italy to the eastern part of Fiji.
  assert.deepEqual(countries.bbox.map(Math.round), [7, -35, -180, 47])
  assert.equal(countries.geometry.type, 'MultiPolygon')
  const { file: towns } = await read('places-latin1.shp.zip')
  assert.deepEqual([towns.start, towns.end], ['2021-04-16T00:00:00.000Z', '2021-04-16T00:00:00.000Z'])
  assert.deepEqual(towns.fields.find(({ name }) => name === 'date')?.type, 'string')
  assert.deepEqual(towns.geometry_types, ['Point'])
})
