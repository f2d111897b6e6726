import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { square } from '../geometries.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

type JsonObject = Readonly<Record<string, unknown>>
interface UpdateCase {
  /** Creates the entity; returns the ids that identify it. */
  readonly create: (client: Client, project_id: string) => Promise<JsonObject>
  /** A value for each nullable field, in the order in which they are set. */
  readonly fields: JsonObject
  /** Values that null stands for, where it is not null. */
  readonly cleared?: JsonObject
}

const createEntity = async (client: Client, operation: string, input: JsonObject): Promise<string> =>
  (await client.call<{ id: string }>(operation, input)).id

const createItem = (client: Client, project_id: string): Promise<string> =>
  createEntity(client, 'items.create', { project_id, name: 'Item', type: 'satellite_capture' })

const updateCases: Readonly<Record<string, UpdateCase>> = {
  'projects.update': {
    create: async (client) => ({ project_id: await createEntity(client, 'projects.create', { name: 'Nulls' }) }),
    fields: { name: 'Other', description: 'words', is_archived: false },
  },
  'collections.update': {
    create: async (client, project_id) => ({
      project_id,
      collection_id: await createEntity(client, 'collections.create', { project_id, name: 'Nulls' }),
    }),
    fields: { name: 'Other', description: 'words', color: '#123456', show_on_map: false, layer_order: 7 },
  },
  'band_formulas.update': {
    create: async (client) => ({
      formula_id: await createEntity(client, 'band_formulas.create', { name: 'nulls', formula: 'b1 / 2' }),
    }),
    fields: {
      name: 'other',
      formula: 'b1 / b2',
      display_name: 'words',
      description: 'words',
      colormap: 'viridis',
      value_range: [0, 2],
      category: 'mine',
    },
  },
  'visualization.profile.update': {
    create: async (client, project_id) => {
      const item_id = await createItem(client, project_id)
      const profile = { item_id, name: 'Nulls', type: 'singleband', config: { bands: '1' } }
      return { item_id, profile_id: await createEntity(client, 'visualization.profile.create', profile) }
    },
    fields: {
      name: 'Other',
      type: 'multiband',
      is_default: true,
      sort_order: 3,
      config: { bands: '1,2,3' },
    },
  },
  'items.update': {
    create: async (client, project_id) => ({ item_id: await createItem(client, project_id) }),
    fields: {
      name: 'Other',
      description: 'words',
      geometry: square(10, 46, 1),
      datetime: '2026-01-01T00:00:00.000Z',
      cloud_cover: 5,
      gsd: 0.5,
      properties: { own: 1 },
      lifecycle_state: 'archived',
    },
    cleared: { properties: {} },
  },
}

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

test('null in an update keeps or clears the field as described', async () => {
  const { owner, project } = await createTestOrganization(app)
  for (const [operation, { create, fields, cleared = {} }] of Object.entries(updateCases)) {
    const ids = await create(owner.client, project)
    const { properties } = findOperation(operation)!.input as unknown as {
      properties: Record<string, { description: string }>
    }
    for (const [name, value] of Object.entries(fields)) {
      const updated = await owner.client.call<JsonObject>(operation, { ...ids, [name]: value })
      assert.deepEqual(updated[name], value, `${operation} ${name}`)
      const after = await owner.client.call<JsonObject>(operation, { ...ids, [name]: null })
      const { description } = properties[name]!
      const expected = description.includes('Null keeps the current value.') ? value : (cleared[name] ?? null)
      assert.deepEqual(after[name], expected, `${operation} ${name}: ${description}`)
    }
  }
})
