import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRejected } from '../../../test/call-operation.ts'
import {
  createNestedSquares,
  createOverlappingSquares,
  createRandomPolygon,
  createRepeatedSquare,
} from '../../../test/cql2/hostile-geometries.ts'
import { createQueuedOrganization } from '../../../test/task-runner.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

interface BatchResult {
  readonly created: number
  readonly results: readonly { readonly item_id: string | null }[]
}

const bowtie = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ],
}

test('an item whose geometry would occupy the database is rejected, on creation and on update', async () => {
  const { invoke, project } = await createQueuedOrganization(services)
  const create = (geometry: object) =>
    invoke<{ id: string }>('items.create', { project_id: project, name: 'x', type: 'user_raster', geometry })
  const { id } = await create(bowtie)
  const hostile = [
    createRandomPolygon(300),
    createRandomPolygon(5000),
    createOverlappingSquares(100),
    createNestedSquares(1000),
    createRepeatedSquare(1000),
    { type: 'GeometryCollection', geometries: [createRandomPolygon(300)] },
  ]
  for (const geometry of hostile) {
    await assertRejected(create(geometry), 'validation')
    await assertRejected(invoke('items.update', { item_id: id, geometry }), 'validation')
  }
})

test('of a batch, Features are refused whose geometries cross themselves too often together', async () => {
  const { invoke, project } = await createQueuedOrganization(services)
  const createBatch = (geometries: readonly object[]) =>
    invoke<BatchResult>('items.batch_create', {
      project_id: project,
      type: 'external_reference',
      features: geometries.map((geometry, at) => ({
        type: 'Feature',
        stac_version: '1.0.0',
        id: `${project}-${at}`,
        geometry,
        properties: { datetime: '2026-01-01T00:00:00Z' },
        assets: {},
        links: [],
      })),
    })
  const { results } = await createBatch([...Array.from({ length: 20 }, () => createRandomPolygon(50)), bowtie])
  const created = results.map(({ item_id }) => item_id !== null)
  assert.equal(created.at(-1), true)
  assert.ok(created.filter(Boolean).length <= 2, created.join())
})
