import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import { formatArea, parseArea } from './area-url.ts'
import { readArea } from './area-text.ts'
import { boxArea, shapeArea } from './area.ts'

const box = boxArea(11, 46, 12, 47)

test('a circle has the area of its radius', () => {
  const circle = shapeArea('circle', [
    [11, 46],
    [11, 46.1],
  ])!
  const radius_km = 11.115
  assert.ok(Math.abs(geometryArea_km2(circle) / (Math.PI * radius_km ** 2) - 1) < 0.005)
})

test('a box may be drawn from any corner, and a polygon needs three', () => {
  assert.deepEqual(
    shapeArea('box', [
      [12, 47],
      [11, 46],
    ]),
    box,
  )
  assert.equal(shapeArea('box', [[12, 47]]), null)
  assert.equal(
    shapeArea('polygon', [
      [0, 0],
      [1, 1],
    ]),
    null,
  )
})

test('an area in the URL is read as it was written, with holes and parts', () => {
  const hole = boxArea(11.2, 46.2, 11.4, 46.4).coordinates[0]
  const areas = [
    box,
    { type: 'Polygon', coordinates: [box.coordinates[0], hole] },
    { type: 'MultiPolygon', coordinates: [box.coordinates, boxArea(20, 1, 21, 2).coordinates] },
  ]
  for (const area of areas) assert.deepEqual(parseArea(formatArea(area as typeof box)!), area)
  for (const text of ['', 'x', '1,2', '1,2;3,4', '0,0;1,1;1,0;0,1', '0,0;200,0;0,1', null, 7])
    assert.equal(parseArea(text), null)
})

test('areas are read from GeoJSON, WKT, a box and positions, in any order of members', () => {
  const wkt = 'POLYGON ((11 46, 12 46, 12 47, 11 47, 11 46))'
  const feature = { type: 'Feature', properties: {}, geometry: box }
  for (const text of [
    JSON.stringify(box),
    JSON.stringify(feature),
    JSON.stringify({ type: 'FeatureCollection', features: [feature] }),
    wkt,
    `SRID=4326;${wkt}`,
    'polygon z ((11 46 5, 12 46 5, 12 47 5, 11 47 5, 11 46 5))',
    '11,46,12,47',
    '11,46 12,46 12,47 11,47',
  ])
    assert.deepEqual(readArea(text).area, box, text)
  const parts = readArea(
    'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5), (5.7 5.2, 5.8 5.2, 5.8 5.3, 5.7 5.2)))',
  )
  assert.deepEqual(
    (parts.area as { coordinates: number[][][][] } | null)?.coordinates.map((rings) => rings.length),
    [1, 2],
  )
})

test('a box that begins east of where it ends crosses the 180° meridian, and is cut there', () => {
  const { area } = readArea('170,-20,-170,-10')
  assert.equal(area?.type, 'MultiPolygon')
  assert.ok(Math.abs(geometryArea_km2(area) / geometryArea_km2(boxArea(160, -20, 180, -10)) - 1) < 1e-9)
  assert.deepEqual(parseArea(formatArea(area)), area)
  assert.deepEqual(geometryBounds(area), [170, -20, -170, -10])
})

test('what is drawn or seen across the 180° meridian is cut there, and is at most the whole Earth', () => {
  const drawn = shapeArea('box', [
    [170, -20],
    [190, -10],
  ])
  assert.deepEqual(drawn, boxArea(170, -20, -170, -10))
  assert.deepEqual(boxArea(-300, -10, 250, 10), boxArea(-180, -10, 180, 10))
})

test('rubbish is refused with a reason', () => {
  for (const text of [
    '',
    'hello',
    '{',
    '[]',
    '{}',
    '{"type":"Point","coordinates":[1,2]}',
    '1,2',
    '1 2 3',
    'POLYGON ((0 0, 1 1))',
    'POLYGON EMPTY',
    '0,0 1,1 1,0 0,1',
  ])
    assert.ok(readArea(text).error, text)
})
