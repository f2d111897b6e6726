import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask } from '../../../test/asking.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { Problem } from '../../engine/problem.ts'
import { createItems } from './items.batch_create.ts'
import { createItem } from './items.create.ts'
import { changeItem } from './items.update.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  house = await openHoldings()
})
after(() => house.close())

/** Properties of so many bytes as JSON. */
const sized = (bytes: number): Record<string, unknown> => {
  const bare = { datetime: '2024-05-01T10:00:00Z', note: '' }
  return { ...bare, note: 'x'.repeat(bytes - JSON.stringify(bare).length) }
}

const limit_bytes = 256 * 1024

const tooLarge = (error: unknown): boolean => {
  assert.ok(error instanceof Problem && error.problem === 'validation')
  assert.deepEqual(error.extra['errors'], [{ path: 'properties', message: `has more than ${limit_bytes} bytes` }])
  return true
}

test('the properties of an item have a greatest size, whichever way they come', async () => {
  const { owner, project } = await house.organize()
  const create = (properties: object): Promise<{ id: string }> =>
    ask(createItem, owner, { project_id: project, name: 'x', type: 'satellite_capture', properties })
  const { id } = await create(sized(limit_bytes))
  await assert.rejects(create(sized(limit_bytes + 1)), tooLarge)
  await assert.rejects(create({ note: 'é'.repeat(limit_bytes / 2) }), tooLarge)

  await ask(changeItem, owner, { item_id: id, properties: sized(limit_bytes) })
  await assert.rejects(ask(changeItem, owner, { item_id: id, properties: sized(limit_bytes + 1) }), tooLarge)

  const feature = (name: string, bytes: number): object => ({
    type: 'Feature',
    stac_version: '1.0.0',
    id: name,
    geometry: { type: 'Point', coordinates: [10, 50] },
    bbox: [10, 50, 10, 50],
    properties: sized(bytes),
    assets: {},
    links: [],
  })
  const features = [feature('fits', limit_bytes), feature('large', limit_bytes + 1)]
  const { created, results } = await ask<{ created: number; results: { refusal: { errors?: unknown } | null }[] }>(
    createItems,
    owner,
    { project_id: project, type: 'satellite_capture', features },
  )
  assert.equal(created, 1)
  assert.deepEqual(results[1]!.refusal?.errors, [{ path: 'properties', message: `has more than ${limit_bytes} bytes` }])
})
