import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSearchAreas } from './search-areas.ts'

const search = (id: string, filters: object) => ({ id, filters }) as never
const ring = (geometry: GeoJSON.Geometry) => (geometry as GeoJSON.Polygon).coordinates[0]!

test('boxes and polygons are areas, and a search without one is left out', () => {
  const polygon = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] } // prettier-ignore
  const { features } = toSearchAreas([search('box', { bbox: [1, 2, 3, 4] }), search('all', {}), search('drawn', { intersects: polygon })]) // prettier-ignore
  assert.deepEqual(
    features.map(({ properties }) => properties),
    [{ id: 'box' }, { id: 'drawn' }],
  )
  assert.deepEqual(ring(features[0]!.geometry), [[1, 2], [3, 2], [3, 4], [1, 4], [1, 2]]) // prettier-ignore
  assert.equal(features[1]!.geometry, polygon)
})

test('a box across the antimeridian is one strip', () => {
  const { features } = toSearchAreas([search('box', { bbox: [170, -20, 0, -170, -10, 5] })])
  assert.deepEqual(ring(features[0]!.geometry)[1], [190, -20])
})
