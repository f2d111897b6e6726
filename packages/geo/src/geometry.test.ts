import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyAffine, invertAffine, scaleAffine } from './affine.ts'
import { splitPolygonAtAntimeridian, splitGeometryAtAntimeridian } from './antimeridian.ts'
import { geometryArea_km2 } from './area.ts'
import {
  geometryBounds,
  intersectBounds,
  isValidBounds,
  boundsToPolygon,
  unionBounds,
  computeLongitudeWidth,
} from './bbox.ts'
import { coordinateExtent } from './coordinate-extent.ts'
import { validateAreaGeometry } from './validate-area.ts'
import type { AreaGeometry, Polygon, Position } from './geojson.ts'
import { isPointInGeometry } from './point-in-geometry.ts'
import { boundsIntersect, geometriesIntersect, intersectsBounds } from './intersects.ts'
import { coveredArea_km2, coveredFraction, intersectPolygons, overlapArea_km2 } from './polygon-clip.ts'
import { computeSignedPlanarArea } from './signed-area.ts'
import {
  isValidTile,
  metresPerPixel,
  findTileAt,
  tileBoundsDegrees,
  tileBoundsMetres,
  findTilesInBounds,
  computeZoomForResolution,
} from './tile-grid.ts'
import { clampLatitude, degreesToMetres, computeGroundScale, metresToDegrees } from './web-mercator.ts'

const box = (west: number, south: number, east: number, north: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
})
const close = (ours: number, theirs: number, relative = 1e-9): void =>
  assert.ok(Math.abs(ours - theirs) <= relative * Math.max(1, Math.abs(theirs)), `${ours} is not ${theirs}`)

test('Web Mercator coordinates equal those of PROJ, in both directions', () => {
  // PROJ: cs2cs EPSG:4326 EPSG:3857 for Bolzano.
  const [x, y] = degreesToMetres(11.3548, 46.4983)
  close(x, 1_264_010.554, 1e-8)
  const [longitude, latitude] = metresToDegrees(x, y)
  close(longitude, 11.3548)
  close(latitude, 46.4983)
  close(degreesToMetres(0, 85.0511287798066)[1], 20_037_508.342789, 1e-9)
  assert.equal(clampLatitude(90), 85.0511287798066)
  close(computeGroundScale(60), 0.5)
})

test('tiles have the position, bounds and coverage of WebMercatorQuad', () => {
  assert.deepEqual(findTileAt(11.3548, 46.4983, 12), { z: 12, x: 2177, y: 1449 })
  assert.deepEqual(findTileAt(180, -90, 3), { z: 3, x: 7, y: 7 })
  const [west, south, east, north] = tileBoundsDegrees({ z: 12, x: 2177, y: 1449 })
  assert.ok(west <= 11.3548 && east > 11.3548 && south < 46.4983 && north >= 46.4983)
  const bounds = tileBoundsMetres({ z: 0, x: 0, y: 0 })
  close(bounds[2] - bounds[0], 40_075_016.685578)
  close(metresPerPixel(0), 156_543.033928)
  close(computeZoomForResolution(metresPerPixel(11.5)), 11.5)
  assert.deepEqual(findTilesInBounds([11.2, 46.4, 11.4, 46.6], 10), { columns: [[543, 545]], rows: [361, 363] })
  assert.deepEqual(findTilesInBounds([179, 0, -179, 1], 3), {
    columns: [
      [7, 8],
      [0, 1],
    ],
    rows: [3, 5],
  })
  assert.ok(
    isValidTile({ z: 3, x: 7, y: 0 }) &&
      !isValidTile({ z: 3, x: 8, y: 0 }) &&
      !isValidTile({ z: 3.5, x: 1, y: 1 }) &&
      !isValidTile({ z: 3, x: -1, y: 0 }),
  )
})

test('an affine transform and its inverse cancel each other', () => {
  const grid = [500_000, 10, 1, 4_500_000, 2, -10] as const
  const [x, y] = applyAffine(grid, 12.5, 7.25)
  const [column, row] = applyAffine(invertAffine(grid)!, x, y)
  close(column, 12.5)
  close(row, 7.25)
  assert.equal(invertAffine([0, 1, 2, 0, 2, 4]), null)
  assert.deepEqual(applyAffine(scaleAffine(grid, 2, 4), 3, 5), applyAffine(grid, 6, 20))
})

test('boxes have a union and an intersection, also across the 180° meridian', () => {
  assert.ok(
    isValidBounds([170, -10, -170, 10]) &&
      !isValidBounds([0, 10, 1, 0]) &&
      !isValidBounds([0, 0, 1]) &&
      !isValidBounds([0, 0, Number.NaN, 1]),
  )
  assert.equal(computeLongitudeWidth([170, 0, -170, 1]), 20)
  assert.deepEqual(unionBounds([170, 0, 180, 5], [-180, -5, -175, 2]), [170, -5, -175, 5])
  assert.deepEqual(unionBounds([0, 0, 10, 5], [20, 1, 30, 9]), [0, 0, 30, 9])
  assert.deepEqual(intersectBounds([170, 0, -170, 5], [-175, 1, -160, 9]), [-175, 1, -170, 5])
  assert.deepEqual(intersectBounds([170, 0, -170, 5], [160, 1, -175, 9]), [170, 1, -175, 5])
  assert.equal(intersectBounds([0, 0, 1, 1], [2, 0, 3, 1]), null)
  assert.ok(boundsIntersect([170, 0, -170, 5], [-172, 5, 0, 6]) && !boundsIntersect([170, 0, -170, 5], [0, 0, 10, 5]))
  const crossing = boundsToPolygon([170, 0, -170, 5])
  assert.equal(crossing.type, 'MultiPolygon')
  assert.deepEqual(geometryBounds(crossing), [170, 0, -170, 5])
})

test('the bounds of nested coordinates are their minimum and maximum; without any they are empty', () => {
  assert.deepEqual(coordinateExtent([3, 4, 500]), [3, 4, 3, 4])
  const lines = [
    [
      [170, -5],
      [-170, 2],
    ],
    [[10, 9, 1]],
  ]
  assert.deepEqual(coordinateExtent([lines, []]), [-170, -5, 170, 9])
  assert.deepEqual(coordinateExtent([]), [Infinity, Infinity, -Infinity, -Infinity])
})

test('a polygon that exceeds 180° is cut in two and keeps its area', () => {
  const wide = box(175, -20, 185, -10)
  const parts = splitPolygonAtAntimeridian(wide)
  assert.equal(parts.type, 'MultiPolygon')
  assert.equal(validateAreaGeometry(parts).error, null)
  assert.deepEqual(geometryBounds(parts), [175, -20, -175, -10])
  close(geometryArea_km2(parts), geometryArea_km2(box(0, -20, 10, -10)))
  assert.deepEqual(splitPolygonAtAntimeridian(box(1, 2, 3, 4)), box(1, 2, 3, 4))
})

test('points are wrapped and lines are cut at the antimeridian, with interpolated heights', () => {
  const split = (type: string, coordinates: unknown): unknown =>
    splitGeometryAtAntimeridian({ type, coordinates: coordinates as Position[] })
  assert.deepEqual(split('Point', [181, 5, 7]), { type: 'Point', coordinates: [-179, 5, 7] })
  assert.deepEqual(split('LineString', [[179, 0, 10], [181, 2, 30]]), {
    type: 'MultiLineString',
    coordinates: [
      [[179, 0, 10], [180, 1, 20]],
      [[-180, 1, 20], [-179, 2, 30]],
    ],
  }) // prettier-ignore
  assert.deepEqual(split('LineString', [[179, 0], [180, 1], [181, 2]]), {
    type: 'MultiLineString',
    coordinates: [[[179, 0], [180, 1]], [[-180, 1], [-179, 2]]],
  }) // prettier-ignore
  assert.deepEqual(split('LineString', [[180, 1], [181, 2]]), {
    type: 'LineString',
    coordinates: [[-180, 1], [-179, 2]],
  }) // prettier-ignore
  const tilted = [[179, 0, 0], [181, 0, 20], [181, 1, 20], [179, 1, 0], [179, 0, 0]] // prettier-ignore
  const { coordinates } = split('Polygon', [tilted]) as { coordinates: Position[][][] }
  assert.equal(coordinates.length, 2)
  for (const [x, , z] of coordinates.flat(2)) {
    assert.equal(z, Math.abs(x!) === 180 ? 10 : x! > 0 ? 0 : 20)
  }
})

test('a geometry beyond ±540° or wider than 360° is not split', () => {
  assert.equal(splitGeometryAtAntimeridian({ type: 'Point', coordinates: [541, 0] }), null)
  assert.equal(splitGeometryAtAntimeridian({ type: 'GeometryCollection', coordinates: [] }), null)
  assert.equal(splitGeometryAtAntimeridian({ ...box(-181, -10, 181, 10) }), null)
  assert.equal(splitGeometryAtAntimeridian({ ...box(-180.5, -10, 179.5, 10) })?.type, 'MultiPolygon')
})

test('the signed area of a ring has the sign of its orientation, closed or not', () => {
  const ring = box(170, 80, 172, 81).coordinates[0]!
  assert.equal(computeSignedPlanarArea(ring), 2)
  assert.equal(computeSignedPlanarArea(ring.slice(0, -1)), 2)
  assert.equal(computeSignedPlanarArea(ring.toReversed()), -2)
  assert.equal(computeSignedPlanarArea([]), 0)
})

test('points are located inside, outside or in a hole, and intersections are found', () => {
  const ring: AreaGeometry = {
    type: 'Polygon',
    coordinates: [...box(0, 0, 10, 10).coordinates, ...box(3, 3, 7, 7).coordinates],
  }
  assert.deepEqual(
    [
      [1, 1],
      [5, 5],
      [11, 5],
      [0, 5],
      [3, 5],
    ].map(([x, y]) => isPointInGeometry(x!, y!, ring)),
    [true, false, false, true, true],
  )
  assert.ok(
    geometriesIntersect(ring, box(2, 2, 4, 4)) &&
      !geometriesIntersect(ring, box(4, 4, 6, 6)) &&
      geometriesIntersect(box(-1, -1, 20, 20), ring),
  )
  assert.ok(
    intersectsBounds(ring, [9, 9, 12, 12]) &&
      !intersectsBounds(ring, [10.1, 0, 12, 12]) &&
      intersectsBounds(ring, [10, 10, 11, 11]),
  )
})

test('the intersection of two polygons has a valid geometry and the right area', () => {
  const bay: Polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [6, 10],
        [6, 3],
        [4, 3],
        [4, 10],
        [0, 10],
        [0, 0],
      ],
    ],
  }
  const across = box(-1, 5, 11, 6)
  const shared = intersectPolygons(bay, across, Infinity)!
  assert.equal(shared.type, 'MultiPolygon')
  assert.equal(validateAreaGeometry(shared).error, null)
  close(overlapArea_km2(bay, across), geometryArea_km2(box(0, 5, 4, 6)) + geometryArea_km2(box(6, 5, 10, 6)))
  assert.equal(intersectPolygons(box(0, 0, 1, 1), box(1, 0, 2, 1), Infinity), null)
  assert.equal(overlapArea_km2(box(0, 0, 1, 1), box(5, 5, 6, 6)), 0)
  const donut: Polygon = {
    type: 'Polygon',
    coordinates: [...box(0, 0, 10, 10).coordinates, ...box(3, 3, 7, 7).coordinates.map((ring) => ring.toReversed())],
  }
  const clipped = intersectPolygons(box(-5, -5, 15, 15), donut, Infinity)!
  assert.deepEqual([clipped.type, clipped.coordinates.length], ['Polygon', 2])
  close(geometryArea_km2(clipped), geometryArea_km2(donut))
})

test('a footprint that contains the area covers exactly all of it; overlapping footprints count once', () => {
  const area = box(11.2, 46.4, 11.4, 46.6)
  assert.equal(coveredFraction(area, [box(11, 46, 12, 47)]), 1)
  assert.equal(overlapArea_km2(area, box(11, 46, 12, 47)), geometryArea_km2(area))
  close(coveredFraction(area, [box(11, 46, 11.3, 47)]), 0.5, 1e-9)
  close(coveredFraction(area, [box(11, 46, 11.3, 47), box(11.25, 46, 11.35, 47)]), 0.75, 1e-9)
  assert.equal(coveredArea_km2(area, []), 0)
})

test('an intersection that takes more steps than allowed is the first geometry', () => {
  const teeth = Array.from({ length: 2000 }, (_, at) => [
    [at / 1000, 0.1],
    [(at + 0.3) / 1000, 1],
    [(at + 0.6) / 1000, 1],
    [(at + 0.9) / 1000, 0.1],
  ]).flat() as [number, number][]
  const comb: Polygon = { type: 'Polygon', coordinates: [[[0, 0], ...teeth, [2, 0], [0, 0]]] }
  const part = box(0.5, -1, 1.5, 2)
  assert.equal(intersectPolygons(comb, part, 100_000), comb)
  assert.equal(intersectPolygons(part, comb, 100_000), part)
  close(geometryArea_km2(intersectPolygons(part, box(0, 0, 1, 1), 100_000)!), geometryArea_km2(box(0.5, 0, 1, 1)))
})

test('an intersection keeps a corner that another lies within a tenth of a millimetre of', () => {
  const triangle = (...ring: [number, number][]): Polygon => ({ type: 'Polygon', coordinates: [[...ring, ring[0]!]] })
  const a = triangle([0.3, 0], [-0.15, 0.2598], [-0.15, -0.2598])
  const b = triangle([0.2965304255715875, -6.2328808780876e-11], [-0.3, 0.5196], [-0.145, -0.2516])
  close(geometryArea_km2(intersectPolygons(a, b, Infinity)!), overlapArea_km2(a, b), 1e-6)
})

test('for random polygons the overlap area equals the area of the intersection, in both orders', () => {
  let seed = 5
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const star = (x: number, y: number, count: number): Polygon => {
    const points = Array.from({ length: count }, (_, at): [number, number] => {
      const angle = (2 * Math.PI * at) / count
      const reach = 0.1 * (0.3 + 0.7 * random())
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]
    })
    return { type: 'Polygon', coordinates: [[...points, points[0]!]] }
  }
  for (let round = 0; round < 300; round++) {
    const a = star(random() / 10, 45 + random() / 10, 3 + Math.floor(random() * 40))
    const b = star(random() / 10, 45 + random() / 10, 3 + Math.floor(random() * 40))
    const shared = intersectPolygons(a, b, Infinity)
    const measured = overlapArea_km2(a, b)
    if (shared) assert.equal(validateAreaGeometry(shared).error, null)
    // The positions of an intersection are rounded to a tenth of a millimetre.
    assert.ok(Math.abs(measured - (shared ? geometryArea_km2(shared) : 0)) < 1e-6 + 1e-6 * measured)
    close(overlapArea_km2(b, a), measured, 1e-9)
  }
})

/** A comb of adjacent teeth, each of which ends at its own latitude. */
function combOf(teeth: number): Polygon {
  const points = Array.from({ length: teeth }, (_, at) => [
    [10 + at / teeth, (0.001 * at) / teeth],
    [10 + (at + 0.5) / teeth, 1 + at * 1e-4],
  ]).flat() as [number, number][]
  return { type: 'Polygon', coordinates: [[[10, -0.1], ...points, [11, 0], [11, -0.1], [10, -0.1]]] }
}

test('the overlap of a comb of a thousand positions with a footprint of many parts takes under a second', () => {
  const comb = combOf(489)
  assert.equal(validateAreaGeometry(comb).error, null)
  const bands = Array.from({ length: 8 }, (_, at): Polygon => {
    const south = 0.1 + at * 0.1
    return {
      type: 'Polygon',
      coordinates: [
        [
          [9.9, south],
          [11.1, south + 0.03],
          [11.1, south + 0.05],
          [9.9, south + 0.07],
          [9.9, south],
        ],
      ],
    }
  })
  const zigzag: AreaGeometry = { type: 'MultiPolygon', coordinates: bands.map(({ coordinates }) => coordinates) }
  const before = process.cpuUsage()
  const total_km2 = overlapArea_km2(comb, zigzag)
  const { user } = process.cpuUsage(before)
  close(
    total_km2,
    bands.reduce((sum, band) => sum + overlapArea_km2(comb, band), 0),
  )
  // CPU time, which other load does not affect: about 20 ms, where slabs took seconds.
  assert.ok(user < 1_000_000, `${user / 1000} ms`)
})

test('holes, parts and footprints that share edges are measured exactly', () => {
  const donut: Polygon = {
    type: 'Polygon',
    coordinates: [...box(150, 0, 160, 10).coordinates, ...box(153, 3, 157, 7).coordinates],
  }
  for (const area of [donut, { ...donut, coordinates: donut.coordinates.map((ring) => ring.toReversed()) }]) {
    assert.equal(coveredFraction(area, [donut]), 1)
    assert.equal(overlapArea_km2(area, box(153, 3, 157, 7)), 0)
    close(coveredFraction(area, [box(155, 0, 170, 10)]), 0.5)
    close(coveredFraction(area, [box(150, 0, 155, 10), box(155, 0, 160, 10)]), 1)
  }
  const parts: AreaGeometry = { type: 'MultiPolygon', coordinates: [donut.coordinates, box(0, 0, 10, 10).coordinates] }
  close(coveredFraction(parts, [box(-1, -1, 11, 11), donut]), 1)
})
