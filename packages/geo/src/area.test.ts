import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geometryArea_km2, ringArea_km2 } from './area.ts'
import { solveInverseGeodesic, solveDirectGeodesic } from './geodesic.ts'

/**
 * Areas in square kilometres from GeographicLib 2.1 (Python, Geodesic.WGS84.Polygon) of the rings with each edge cut into 4,000
 * and 8,000 pieces that are straight in degrees, extrapolated to infinitely many.
 */
const geographicLibAreas: [name: string, corners: [number, number][], km2: number][] = [
  [
    'field',
    [
      [11.2, 46.4],
      [11.2013, 46.4],
      [11.2013, 46.4009],
      [11.2, 46.4009],
    ],
    0.010001656187831,
  ],
  [
    'town',
    [
      [11.2, 46.4],
      [11.3, 46.4],
      [11.3, 46.5],
      [11.2, 46.5],
    ],
    85.4075560388,
  ],
  [
    'bay',
    [
      [-70, -20],
      [-68, -21],
      [-69, -19.5],
      [-68, -18],
      [-70.5, -17.5],
    ],
    52458.9793217,
  ],
  [
    'europe',
    [
      [-10, 35],
      [30, 35],
      [30, 60],
      [-10, 60],
    ],
    8308418.835354,
  ],
  [
    'half of the globe',
    [
      [-178, 46.9],
      [0, 46.9],
      [0, 47.1],
      [-178, 47.1],
    ],
    301005.294778,
  ],
  [
    'a third of the arctic',
    [
      [-60, 80],
      [60, 80],
      [60, 90],
      [-60, 90],
    ],
    1302857.58728,
  ],
  [
    'a part of the antarctic',
    [
      [-180, -90],
      [-20, -90],
      [-20, -75],
      [-180, -70],
    ],
    5324501.9508,
  ],
  [
    'equator',
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
    ],
    1224832.293978,
  ],
  [
    'far north',
    [
      [10, 78],
      [25, 78.5],
      [28, 80.2],
      [12, 79.9],
    ],
    63089.485606,
  ],
  [
    'sliver',
    [
      [0, 0],
      [1, 0],
      [1, 0.0001],
    ],
    0.61545360396463,
  ],
]

for (const [name, corners, km2] of geographicLibAreas) {
  test(`the area of ${name} equals that of GeographicLib for edges straight in degrees`, () => {
    const ring = [...corners, corners[0]!]
    assert.ok(Math.abs(ringArea_km2(ring) / km2 - 1) < 1e-9, `${ringArea_km2(ring)} is not ${km2}`)
    assert.equal(ringArea_km2(ring.toReversed()).toFixed(6), ringArea_km2(ring).toFixed(6))
    assert.equal(geometryArea_km2({ type: 'Polygon', coordinates: [ring] }), ringArea_km2(ring))
  })
}

test('the area of the world outline equals the surface of the ellipsoid', () => {
  const world: [number, number][] = [
    [-180, -90],
    [180, -90],
    [180, 90],
    [-180, 90],
    [-180, -90],
  ]
  assert.ok(Math.abs(ringArea_km2(world) - 510_065_621.724) < 1)
})

test('an invalid latitude does not make the measurement longer', () => {
  const ring: [number, number][] = [[0, 0], [1, 0], [1, 1e308], [0, -1e308], [0, 0]] // prettier-ignore
  assert.equal(typeof ringArea_km2(ring), 'number')
})

test('the area subtracts holes and adds parts', () => {
  const square = (x: number, y: number, side: number): [number, number][] => [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
    [x, y],
  ]
  const whole = ringArea_km2(square(0, 40, 2))
  const hole = ringArea_km2(square(0.5, 40.5, 1))
  assert.equal(
    geometryArea_km2({ type: 'Polygon', coordinates: [square(0, 40, 2), square(0.5, 40.5, 1)] }),
    whole - hole,
  )
  const parts = geometryArea_km2({ type: 'MultiPolygon', coordinates: [[square(0, 40, 2)], [square(10, 40, 2)]] })
  assert.ok(Math.abs(parts - 2 * whole) < 1e-6)
  assert.equal(ringArea_km2([]), 0)
  assert.equal(
    ringArea_km2([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]),
    0,
  )
})

test('the inverse and direct geodesic match the published line from Flinders Peak to Buninyong', () => {
  // Vincenty's own check, on GRS 80, whose semi-minor axis differs from that of WGS 84 by a tenth of a millimetre.
  const [x1, y1] = [144 + 25 / 60 + 29.5244 / 3600, -(37 + 57 / 60 + 3.7203 / 3600)]
  const [x2, y2] = [143 + 55 / 60 + 35.3839 / 3600, -(37 + 39 / 60 + 10.1561 / 3600)]
  const line = solveInverseGeodesic(x1, y1, x2, y2)!
  assert.ok(Math.abs(line.metres - 54_972.271) < 1e-3)
  const [x, y] = solveDirectGeodesic(x1, y1, line)
  assert.ok(Math.hypot(x - x2, y - y2) < 1e-10)
  assert.equal(solveInverseGeodesic(0, 0.5, 179.9, -0.4), null)
  assert.equal(solveInverseGeodesic(3, 4, 3, 4)?.metres, 0)
})
