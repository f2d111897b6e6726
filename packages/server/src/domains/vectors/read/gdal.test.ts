import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { vector_limits, type VectorFile } from '../vector-file.ts'
import { readInto } from './read-into.ts'

interface Read {
  readonly geometry: { readonly type: string; readonly coordinates: unknown }
  readonly properties: Readonly<Record<string, unknown>>
}

const fixtures = fileURLToPath(new URL('../../../../../../fixtures/vectors/', import.meta.url))
const said = JSON.parse(await readFile(join(fixtures, 'gdal.json'), 'utf8')) as Record<string, Read[]>

let count = 0
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-vectors-'))
})
after(() => rm(folder, { recursive: true }))

async function read(name: string): Promise<{ file: VectorFile; features: Read[] }> {
  const out = join(folder, `${name}-${count++}`)
  const file = await readInto(join(fixtures, name), out, vector_limits)
  return { file, features: (JSON.parse(await readFile(out, 'utf8')) as { features: Read[] }).features }
}

const places = (geometry: Read['geometry']): number[][] => {
  const walk = (value: unknown): number[][] => {
    const list = value as unknown[]
    return typeof list[0] === 'number' ? [list as number[]] : list.flatMap(walk)
  }
  return walk(geometry.coordinates)
}

/** Within two millimetres; heights are unchanged. */
function assertSamePlaces(ours: Read, theirs: Read, where: string): void {
  const [mine, its] = [places(ours.geometry), places(theirs.geometry)]
  assert.equal(mine.length, its.length, where)
  for (const [at, position] of mine.entries()) {
    for (const axis of [0, 1]) assert.ok(Math.abs(position[axis]! - its[at]![axis]!) < 2e-8, `${where} ${at}`)
    assert.ok(Math.abs((position[2] ?? 0) - (its[at]![2] ?? 0)) < 1e-6, `${where} ${at} height`)
  }
}

/** Single geometries may be multi-part geometries with one part; KML does not distinguish them. */
const oneOrMany = (type: string): string => type.replace('Multi', '')

const value = (given: unknown, wanted: unknown): unknown => {
  if (typeof given === 'number' && typeof wanted === 'number') return Math.abs(given - wanted) < 1e-12 ? wanted : given
  // GDAL 3.6 has no booleans in these formats.
  return typeof given === 'boolean' && typeof wanted === 'number' ? Number(given) : given
}

for (const [name, theirs] of Object.entries(said)) {
  test(`${name} has the same features, properties and positions as in GDAL`, async () => {
    const { file, features } = await read(name)
    assert.equal(features.length, theirs.length)
    assert.equal(file.features, theirs.length)
    for (const [at, feature] of theirs.entries()) {
      const ours = features[at]!
      assert.equal(oneOrMany(ours.geometry.type), oneOrMany(feature.geometry.type))
      assertSamePlaces(ours, feature, `${name} ${at}`)
      const wanted = Object.entries(feature.properties).filter(
        ([key]) => !/^(Name|tessellate|extrude|visibility)$/.test(key),
      )
      assert.ok(wanted.length > 0)
      for (const [key, expected] of wanted) assert.equal(value(ours.properties[key] ?? null, expected), expected, key)
      if (feature.properties['Name'] !== undefined) assert.equal(ours.properties['name'], feature.properties['Name'])
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
