import type { FixtureItem } from './filter-fixtures.ts'
import { createTrack } from './hostile-geometries.ts'

export const ring = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
export const box = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon',
  coordinates: [ring(west, south, east, north)],
})
export const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] })
export const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates })
export const collection = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries })

const geometriesById: Record<string, unknown> = {
  square: box(0, 0, 2, 2),
  beside: box(2, 0, 4, 2),
  across: box(1, 1, 3, 3),
  point: point(1, 1),
  line: line([-1, 1], [5, 1]),
  mixed: collection(point(10, 10), box(0, 0, 2, 2)),
  east: box(178, 0, 180, 1),
  west: box(-180, 0, -178, 1),
  pieces: collection(box(20, 0, 22, 2), box(21, 0, 24, 2)),
  nowhere: null,
}

const toFixtureItems = (geometries: Readonly<Record<string, unknown>>): readonly FixtureItem[] =>
  Object.entries(geometries).map(([stac_id, geometry]) => ({ stac_id, geometry, properties: {} }))

export const geometryItems = toFixtureItems(geometriesById)

/** Lines with as many positions as relations are computed for, and with one more. */
export const trackItems = toFixtureItems({
  track: createTrack(2000),
  long_track: createTrack(2001),
  collected: collection(createTrack(500)),
  long_collected: collection(createTrack(501)),
})

/** Geometries of the items for random filters. */
export const variedGeometries: readonly unknown[] = [
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
        [0, 0],
      ],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [10, 10],
      [5, 0],
    ],
  },
  {
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [1, 1] },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [3, 3],
        ],
      },
    ],
  },
]
