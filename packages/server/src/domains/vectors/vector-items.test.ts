import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FeatureCollection } from '@swath/contract/schemas/geojson.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { findTileAt, tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import { metresToDegrees } from '@swath/geo/web-mercator.ts'
import type { BytesResponse } from '../../engine/operation-response.ts'
import { Problem } from '../../engine/problem.ts'
import { readCallInput } from '../../engine/input/read-input.ts'
import { deliverItem } from '../../../test/test-services.ts'
import { validateStacItem } from '../../../test/stac-schemas.ts'
import { openUploadServices } from '../../../test/upload-services.ts'
import { parseVectorTile, type TileLayer } from '../../../test/vector-tiles.ts'
import { handler } from '../tiles/operations/items.tile.vector.ts'

let app: Awaited<ReturnType<typeof openUploadServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let item_id: string

const ring = (x: number, y: number, size: number): number[][] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
]
const hole = ring(10.125, 50.125, 0.25).toReversed()
const fields: FeatureCollection = {
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', id: 41, properties: { kind: 'field', n: 1, date: '2024-05-01' }, geometry: { type: 'Polygon', coordinates: [ring(10, 50, 1), hole] } },
    { type: 'Feature', id: 'well', properties: { kind: 'well', depth: 2.5, wet: true, constructor: 'Smith', tags: ['a'], none: null, date: '2024-06-01' }, geometry: { type: 'Point', coordinates: [10.5, 50.5] } },
    { type: 'Feature', properties: { kind: 'path', n: -3 }, geometry: { type: 'LineString', coordinates: [[9.5, 50.5], [11.5, 50.5]] } },
    { type: 'Feature', properties: { kind: 'nowhere' }, geometry: null },
    { type: 'Feature', properties: { kind: 'field', n: 2 }, geometry: { type: 'Polygon', coordinates: [ring(-30, 10, 1)] } },
  ],
} // prettier-ignore

const hasProblem = (problem: string, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return pattern.test(error.message)
}

before(async () => {
  app = await openUploadServices()
  fixture = await app.createOrganization()
  const files = { 'fields.geojson': new TextEncoder().encode(JSON.stringify(fields)) }
  const sent = await app.sendFiles(fixture.owner, { project_id: fixture.project }, files)
  item_id = (await app.completeUpload(fixture.owner, sent)).item_ids[0]!
})
after(() => app.close())

const invoke = <Output>(id: string, input: Record<string, unknown> = {}): Promise<Output> =>
  app.callOperation(fixture.owner, id, { item_id, ...input })

async function tile(input: object): Promise<{ answer: BytesResponse; layers: TileLayer[] }> {
  const read = readCallInput(handler.operation, { item_id, ...input })
  const response = (await handler.handle(fixture.owner, read as never)) as BytesResponse
  return { answer: response, layers: parseVectorTile(response.body) }
}

test('a vector file becomes an item with geometry, times and its features as GeoJSON', async () => {
  const { item } = await invoke<{ item: Item }>('items.get')
  assert.deepEqual([item.type, item.name, item.bbox], ['user_vector', 'fields', [-30, 10, 11.5, 51]])
  assert.deepEqual(
    [item.datetime, item.start_datetime, item.end_datetime],
    [null, '2024-05-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'],
  )
  const stac = await invoke<StacItem>('items.get_stac')
  assert.deepEqual(await validateStacItem(stac), [])
  const data = stac.assets['data'] as StacItem['assets'][string] & Record<string, unknown>
  assert.deepEqual([data.type, data.roles, data['table:row_count']], ['application/geo+json', ['data'], 5])
  assert.deepEqual((data['table:columns'] as object[])[0], { name: 'kind', type: 'string' })
  assert.equal(stac.properties['service:source'], 'ARCHIVE')
})

interface Page extends FeatureCollection {
  readonly numberMatched: number
  readonly numberReturned: number
}

test('items.features.list pages and filters by bbox and properties, with the total', async () => {
  const allFeatures = await invoke<Page>('items.features.list')
  assert.deepEqual([allFeatures.numberMatched, allFeatures.numberReturned], [5, 5])
  assert.deepEqual(
    allFeatures.features.map(({ id }) => id),
    [41, 'well', 3, 4, 5],
  )
  assert.deepEqual(allFeatures.features[0]!.geometry, fields.features[0]!.geometry)
  assert.deepEqual(allFeatures.features[1]!.properties, fields.features[1]!.properties)
  const kinds = async (input: Record<string, unknown>): Promise<unknown[]> => {
    const { features, numberMatched } = await invoke<Page>('items.features.list', input)
    return [numberMatched, ...features.map(({ properties }) => properties!['kind'])]
  }
  assert.deepEqual(await kinds({ limit: 2, offset: 1 }), [5, 'well', 'path'])
  assert.deepEqual(await kinds({ offset: 9 }), [5])
  assert.deepEqual(await kinds({ bbox: [10.4, 50.4, 10.6, 50.6] }), [3, 'field', 'well', 'path'])
  assert.deepEqual(await kinds({ bbox: [170, -10, -20, 20] }), [1, 'field'])
  assert.deepEqual(await kinds({ properties: { kind: 'field' }, limit: 1 }), [2, 'field'])
  assert.deepEqual(await kinds({ properties: { kind: 'field', n: 2 }, bbox: [-180, -90, 180, 90] }), [1, 'field'])
  assert.deepEqual(await kinds({ properties: { tags: ['a'] } }), [1, 'well'])
  assert.deepEqual(await kinds({ properties: { none: null, kind: 'well' } }), [1, 'well'])
  assert.deepEqual(await kinds({ properties: { kind: 'nothing' } }), [0])
  await assert.rejects(invoke('items.features.list', { bbox: [0, 2, 1, 1] }), hasProblem('validation', /bbox/))
})

test('a vector tile has the features with their positions and properties', async () => {
  const tileAddress = findTileAt(10.5, 50.5, 8)
  const { answer: response, layers } = await tile(tileAddress)
  assert.equal(response.media_type, 'application/vnd.mapbox-vector-tile')
  const [layer] = layers
  assert.deepEqual([layers.length, layer!.name, layer!.version, layer!.extent], [1, 'features', 2, 4096])
  assert.deepEqual(
    layer!.features.map(({ id, kind }) => [id, kind]),
    [
      [41, 'polygon'],
      [null, 'point'],
      [3, 'line'],
    ],
  )
  const well = layer!.features[1]!
  assert.deepEqual(well.properties, {
    kind: 'well',
    depth: 2.5,
    wet: true,
    constructor_: 'Smith',
    tags: '["a"]',
    date: '2024-06-01',
  })
  assert.deepEqual(layer!.features[2]!.properties, { kind: 'path', n: -3 })
  const [west, , east, north] = tileBoundsMetres(tileAddress)
  const unit = (east - west) / 4096
  const [[x, y]] = well.geometry[0] as [[number, number]]
  const [longitude, latitude] = metresToDegrees(west + x * unit, north - y * unit)
  assert.ok(Math.abs(longitude - 10.5) < 0.001 && Math.abs(latitude - 50.5) < 0.001)
  const area = (points: readonly (readonly [number, number])[]): number =>
    points.reduce((sum, [x, y], at) => {
      const [nextX, nextY] = points[(at + 1) % points.length]!
      return sum + x * nextY - nextX * y
    }, 0)
  assert.deepEqual(
    layer!.features[0]!.geometry.map((ring) => Math.sign(area(ring))),
    [1, -1],
    'outer rings are clockwise, as Mapbox Vector Tile 2.1 requires',
  )
})

test('vector tiles exist at any zoom; they are empty without features, and rejected outside the grid', async () => {
  const emptyTile = await tile(findTileAt(100, 10, 8))
  assert.equal(emptyTile.answer.body.length, 0)
  assert.equal((await tile({ z: 0, x: 0, y: 0 })).layers[0]!.features.length, 4)
  for (const z of [16, 17, 24, 30]) {
    const { layers } = await tile(findTileAt(10.5, 50.5, z))
    assert.deepEqual(
      layers[0]!.features.map(({ kind }) => kind),
      ['polygon', 'point', 'line'],
      `${z}`,
    )
    const [[x, y]] = layers[0]!.features[1]!.geometry[0] as [[number, number]]
    assert.ok(x >= 0 && x <= 4096 && y >= 0 && y <= 4096)
  }
  await assert.rejects(tile({ z: 2, x: 4, y: 0 }), hasProblem('validation', /outside the grid/))
  const secondResponse = await tile(findTileAt(10.5, 50.5, 8))
  assert.match(secondResponse.answer.headers['etag']!, /^"/)
})

test('TileJSON lists the layer and its fields; raster operations name the vector operation instead', async () => {
  const tilejson = await invoke<TileJson>('items.tile.tilejson')
  assert.match(tilejson.tiles[0]!, /\/tiles\/\{z\}\/\{x\}\/\{y\}\.mvt$/)
  assert.deepEqual(tilejson.bounds, [-30, 10, 11.5, 51])
  assert.deepEqual(tilejson.vector_layers![0]!.fields, {
    kind: 'String',
    n: 'Number',
    date: 'String',
    depth: 'Number',
    wet: 'Boolean',
    constructor: 'String',
    tags: 'String',
    none: 'String',
  })
  const isUnsupportedRaster = hasProblem('unsupported-raster', /items\.tile\.vector/)
  await assert.rejects(invoke('items.tile.render', { z: 0, x: 0, y: 0 }), isUnsupportedRaster)
  await assert.rejects(invoke('items.tile.statistics', { expression: 'b1' }), isUnsupportedRaster)
  await assert.rejects(
    invoke('items.tile.render', { z: 0, x: 0, y: 0, asset_key: 'data' }),
    hasProblem('unsupported-raster', /"data"/),
  )
})

test('users without access to an item get none of its features; raster items have none', async () => {
  const otherOrganization = await app.createOrganization()
  await assert.rejects(
    app.callOperation(otherOrganization.owner, 'items.features.list', { item_id }),
    hasProblem('not-found', /No item/),
  )
  await assert.rejects(
    app.callOperation(otherOrganization.owner, 'items.tile.vector', { item_id, z: 0, x: 0, y: 0 }),
    hasProblem('not-found', /No item/),
  )
  const scene = await deliverItem(fixture.owner, fixture.project)
  const other = { item_id: scene.item_id }
  await assert.rejects(invoke('items.features.list', other), hasProblem('unsupported-vector', /no vector features/))
  await assert.rejects(invoke('items.features.list', { asset_key: 'x' }), hasProblem('not-found', /"x"/))
})
