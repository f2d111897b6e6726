import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { makeOrganization } from '../people.ts'
import { square } from '../places.ts'
import { bootHouse, type TestHouse } from '../setup.ts'

type Row = Readonly<Record<string, unknown>>
interface Change {
  /** Creates the entity; returns the ids that identify it. */
  readonly create: (client: Client, project_id: string) => Promise<Row>
  /** A value for each nullable field, in the order in which they are set. */
  readonly fields: Row
  /** Values that null stands for, where it is not null. */
  readonly cleared?: Row
}

const made = async (client: Client, operation: string, input: Row): Promise<string> =>
  (await client.call<{ id: string }>(operation, input)).id

const newItem = (client: Client, project_id: string): Promise<string> =>
  made(client, 'items.create', { project_id, name: 'Item', type: 'satellite_capture' })

const changes: Readonly<Record<string, Change>> = {
  'projects.update': {
    create: async (client) => ({ project_id: await made(client, 'projects.create', { name: 'Nulls' }) }),
    fields: { name: 'Other', description: 'words', is_archived: false },
  },
  'collections.update': {
    create: async (client, project_id) => ({
      project_id,
      collection_id: await made(client, 'collections.create', { project_id, name: 'Nulls' }),
    }),
    fields: { name: 'Other', description: 'words', color: '#123456', show_on_map: false, layer_order: 7 },
  },
  'band_formulas.update': {
    create: async (client) => ({
      formula_id: await made(client, 'band_formulas.create', { name: 'nulls', formula: 'b1 / 2' }),
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
      const item_id = await newItem(client, project_id)
      const profile = { item_id, name: 'Nulls', type: 'singleband', config: { bands: '1' } }
      return { item_id, profile_id: await made(client, 'visualization.profile.create', profile) }
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
    create: async (client, project_id) => ({ item_id: await newItem(client, project_id) }),
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

let house: TestHouse
before(async () => {
  house = await bootHouse()
})
after(() => house?.close())

test('null in an update keeps or clears the field as its description says', async () => {
  const { owner, project } = await makeOrganization(house)
  for (const [operation, { create, fields, cleared = {} }] of Object.entries(changes)) {
    const ids = await create(owner.client, project)
    const { properties } = findOperation(operation)!.input as unknown as {
      properties: Record<string, { description: string }>
    }
    for (const [name, value] of Object.entries(fields)) {
      const full = await owner.client.call<Row>(operation, { ...ids, [name]: value })
      assert.deepEqual(full[name], value, `${operation} ${name}`)
      const after = await owner.client.call<Row>(operation, { ...ids, [name]: null })
      const { description } = properties[name]!
      const expected = description.includes('Null keeps the current value.') ? value : (cleared[name] ?? null)
      assert.deepEqual(after[name], expected, `${operation} ${name}: ${description}`)
    }
  }
})
