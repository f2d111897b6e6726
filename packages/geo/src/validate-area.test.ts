import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geometryArea_km2 } from './area.ts'
import { boundsToPolygon } from './bbox.ts'
import { validateAreaGeometry } from './validate-area.ts'

const square = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
]
const hole = [
  [1, 1],
  [1, 2],
  [2, 2],
  [2, 1],
  [1, 1],
]
const polygon = (...rings: unknown[]): unknown => ({ type: 'Polygon', coordinates: rings })
const multi = (...polygons: unknown[]): unknown => ({ type: 'MultiPolygon', coordinates: polygons })

const valid: [name: string, value: unknown][] = [
  ['a square', polygon(square)],
  ['a clockwise square', polygon(square.toReversed())],
  ['positions with heights', polygon(square.map(([x, y]) => [x, y, 12]))],
  ['a square with a hole', polygon(square, hole)],
  [
    'a hole that touches the outer ring in a point',
    polygon(square, [
      [0, 2],
      [1, 3],
      [1, 1],
      [0, 2],
    ]),
  ],
  ['two squares', multi([square], [square.map(([x, y]) => [x! + 10, y])])],
  ['two squares that share a corner', multi([square], [square.map(([x, y]) => [x! + 4, y! + 4])])],
  [
    'the outline of the world',
    polygon([
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ]),
  ],
  [
    'a repeated position',
    polygon([
      [0, 0],
      [4, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ]),
  ],
  [
    'a position on a straight edge',
    polygon([
      [0, 0],
      [2, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ]),
  ],
]

for (const [name, value] of valid) {
  test(`${name} is a valid geometry`, () => {
    const validation = validateAreaGeometry(value)
    assert.equal(validation.error, null)
    assert.equal(validation.geometry, value)
  })
}

const invalid: [name: string, value: unknown, path: string, reason: RegExp][] = [
  ['null', null, '', /is not a polygon/],
  ['an array', [], '', /is not a polygon/],
  ['a point', { type: 'Point', coordinates: [0, 0] }, 'type', /must be a Polygon or MultiPolygon/],
  ['no coordinates', { type: 'Polygon' }, 'coordinates', /has no coordinates/],
  ['empty coordinates', polygon(), 'coordinates', /has no coordinates/],
  ['a polygon without rings', multi([]), 'coordinates[0]', /list of rings/],
  ['a ring that is a string', polygon('ring'), 'coordinates[0]', /list of positions/],
  ['a position that is a number', polygon([0, 1, 2, 3]), 'coordinates[0][0]', /longitude and latitude/],
  ['a position of one number', polygon([[0]]), 'coordinates[0][0]', /longitude and latitude/],
  [
    'a string among the numbers',
    polygon([
      [0, 0],
      ['4', 0],
    ]),
    'coordinates[0][1]',
    /must be numbers/,
  ],
  [
    'NaN',
    polygon([
      [0, 0],
      [Number.NaN, 0],
    ]),
    'coordinates[0][1]',
    /must be numbers/,
  ],
  [
    'infinity',
    polygon([
      [0, 0],
      [1, 0],
      [1, Number.POSITIVE_INFINITY],
    ]),
    'coordinates[0][2]',
    /must be numbers/,
  ],
  ['latitude and longitude swapped', polygon([[46, 111]]), 'coordinates[0][0]', /latitude 111/],
  ['a longitude beyond 180', polygon([[190, 11]]), 'coordinates[0][0]', /longitude 190/],
  [
    'three positions',
    polygon([
      [0, 0],
      [4, 0],
      [0, 0],
    ]),
    'coordinates[0]',
    /at least four/,
  ],
  [
    'an open ring',
    polygon([
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ]),
    'coordinates[0]',
    /must be closed/,
  ],
  [
    'one position four times',
    polygon([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]),
    'coordinates[0]',
    /three different/,
  ],
  [
    'a line that returns on itself',
    polygon([
      [0, 0],
      [4, 4],
      [0, 0],
      [0, 0],
    ]),
    'coordinates[0]',
    /three different/,
  ],
  [
    'a bow tie',
    polygon([
      [0, 0],
      [4, 4],
      [4, 0],
      [0, 4],
      [0, 0],
    ]),
    'coordinates[0][2]',
    /crosses or touches itself/,
  ],
  [
    'a spike',
    polygon([
      [0, 0],
      [4, 0],
      [8, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ]),
    'coordinates[0]',
    /crosses or touches itself/,
  ],
  [
    'a ring that touches itself',
    polygon([
      [0, 0],
      [4, 0],
      [2, 2],
      [4, 4],
      [0, 4],
      [2, 2],
      [0, 0],
    ]),
    'coordinates[0]',
    /crosses or touches itself/,
  ],
  [
    'a hole that crosses the outer ring',
    polygon(square, [
      [3, 1],
      [5, 1],
      [5, 2],
      [3, 2],
      [3, 1],
    ]),
    'coordinates',
    /crosses or touches itself/,
  ],
  [
    'a hole outside its polygon',
    polygon(
      square,
      hole.map(([x, y]) => [x! + 10, y]),
    ),
    'coordinates[1]',
    /inside its polygon/,
  ],
  [
    'an edge across the 180° meridian',
    polygon([
      [170, 0],
      [-170, 0],
      [-170, 5],
      [170, 5],
      [170, 0],
    ]),
    'coordinates[0][0]',
    /180° meridian/,
  ],
]

for (const [name, value, path, reason] of invalid) {
  test(`${name} is rejected with a reason and a path`, () => {
    const { geometry, error } = validateAreaGeometry(value)
    assert.equal(geometry, null)
    assert.match(error!.reason, reason)
    assert.ok(error!.path.startsWith(path), error!.path)
  })
}

test('polygons of one geometry that overlap are united; those that do not stay as they are', () => {
  const box = (low: number, high: number): number[][] => [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
    [low, low],
  ]
  const united = (...parts: number[][][][]) => validateAreaGeometry(multi(...parts)).geometry!
  for (const apart of [
    multi([box(0, 9), box(2, 6)], [box(3, 5)]),
    multi([box(0, 2)], [box(3, 5)]),
    multi([box(0, 2)], [box(2, 5)]),
  ])
    assert.equal(validateAreaGeometry(apart).geometry, apart)
  const cases: readonly (readonly [number[][][][], readonly [number, number, number, number][]])[] = [
    [[[box(0, 9)], [box(3, 5)]], [[0, 0, 9, 9]]],
    [[[box(0, 4)], [box(0, 4)]], [[0, 0, 4, 4]]],
    [
      [[box(0, 4)], [box(2, 6)]],
      [
        [0, 0, 4, 4],
        [2, 4, 6, 6],
        [4, 2, 6, 4],
      ],
    ],
    [
      [[box(0, 4)], [box(20, 24)], [box(2, 6)]],
      [
        [0, 0, 4, 4],
        [2, 4, 6, 6],
        [4, 2, 6, 4],
        [20, 20, 24, 24],
      ],
    ],
    [
      [[box(0, 9), box(2, 6)], [box(4, 8)]],
      [
        [0, 0, 2, 9],
        [6, 0, 9, 9],
        [2, 0, 6, 2],
        [2, 6, 6, 9],
        [4, 4, 6, 6],
      ],
    ],
  ]
  for (const [parts, boxes] of cases) {
    const wanted = boxes.reduce((sum, bounds) => sum + geometryArea_km2(boundsToPolygon(bounds)), 0)
    const found = geometryArea_km2(united(...parts))
    assert.ok(Math.abs(found / wanted - 1) < 1e-9, `${found}, not ${wanted}`)
  }
})

test('parts that share an edge are united, and none is lost among a thousand', () => {
  const strip = (at: number): number[][] => [
    [at, 0],
    [at + 1, 0],
    [at + 1, 1],
    [at, 1],
    [at, 0],
  ]
  const parts = Array.from({ length: 150 }, (_, at) => [strip(at)])
  const { geometry } = validateAreaGeometry(multi(...parts))
  const whole = geometryArea_km2(boundsToPolygon([0, 0, 150, 1]))
  assert.ok(Math.abs(geometryArea_km2(geometry!) / whole - 1) < 1e-9)
})

test('a geometry with too many positions or rings is rejected', () => {
  const many = Array.from({ length: 1001 }, (_, at) => [at / 1000, (at % 7) / 10])
  assert.match(validateAreaGeometry(polygon(many), { max_vertices: 999 }).error!.reason, /more than 999 positions/)
  assert.match(
    validateAreaGeometry(polygon(...Array.from({ length: 6 }, () => square)), { max_rings: 5 }).error!.reason,
    /more than 5 rings/,
  )
})

test('ten thousand positions are validated within seconds, even if all edges overlap in x', () => {
  const teeth = Array.from({ length: 4990 }, (_, at): [number, number] => [at % 2 ? 80 : 0, at / 100])
  const back = teeth.toReversed().map(([x, y]): [number, number] => [x + 0.5, y + 0.004])
  const comb = [...teeth, ...back, teeth[0]!]
  const started = performance.now()
  const { error } = validateAreaGeometry(polygon(comb))
  assert.ok(performance.now() - started < 5000)
  assert.ok(error === null || /crosses or touches itself/.test(error.reason))
})
