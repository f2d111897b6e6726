import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Item } from '@swath/contract/schemas/item.ts'
import type { StacItem } from '@swath/contract/schemas/stac.ts'
import { skipOnCitus } from '../../../test/citus/cluster.ts'
import { callOperation, rejectedWith } from '../../../test/call-operation.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import type { Call } from '../../engine/call.ts'
import { migrationsDir } from '../../platform/database/migrate.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { addItem } from './add-item.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app?.close())

const itemInput = { name: 'Field', type: 'user_raster', datetime: '2024-05-01T10:00:00Z' }

/** A completed upload. */
async function insertUpload({ db, organization }: Call, project: string): Promise<string> {
  const id = newId()
  await db.query(sql`
    insert into uploads (organization_id, id, project_id, status, transfer_method, file_count, total_bytes,
                         reserved_bytes, bytes_uploaded, is_categorical, attempt, created_at, updated_at)
    values (${organization}, ${id}, ${project}, 'completed', 'browser', 1, 0, 0, 0, false, 0, ${app.clock.now()},
            ${app.clock.now()})`)
  return id
}

test('callers cannot set the origin or platform properties of an item', async () => {
  const { owner, project } = await app.createOrganization()
  const { item_id, order_id } = await deliverItem(owner, project, {
    properties: { 'service:licence': 'standard', a: 1 },
  })
  const upload_id = await insertUpload(owner, project)
  const forged = { 'service:source': 'ARCHIVE', 'service:licence': 'extended', order_id, upload_id, job_id: order_id }
  const created = await callOperation<Item>('items.create', owner, {
    ...itemInput,
    project_id: project,
    upload_id,
    properties: { ...forged, b: 2 },
  })
  assert.deepEqual([created.order_id, created.upload_id, created.job_id], [null, null, null])
  assert.deepEqual(created.properties, { b: 2 })
  const { parents } = await callOperation<{ parents: { entity_type: string; entity_id: string; relation: string }[] }>(
    'items.lineage',
    owner,
    { item_id: created.id },
  )
  assert.deepEqual(parents.map(({ entity_type, relation }) => `${entity_type} ${relation}`).toSorted(), [
    'api_call produced_by',
    'upload uploaded_by',
  ])
  assert.equal(parents.find(({ entity_type }) => entity_type === 'upload')?.entity_id, upload_id)
  const changed = await callOperation<Item>('items.update', owner, { item_id, properties: { ...forged, b: 2 } })
  assert.deepEqual(changed.properties, { 'service:licence': 'standard', b: 2 })
  assert.equal(changed.order_id, order_id)
  const feature = { type: 'Feature', id: 'forged', geometry: null, assets: {}, links: [] }
  const { results } = await callOperation<{ results: { item_id: string }[] }>('items.batch_create', owner, {
    project_id: project,
    features: [{ ...feature, properties: { ...forged, datetime: '2024-05-01T10:00:00Z', b: 2 } }],
  })
  const { item: imported } = await callOperation<{ item: Item }>('items.get', owner, { item_id: results[0]!.item_id })
  assert.deepEqual([imported.order_id, imported.upload_id, imported.properties], [null, null, { b: 2 }])
  for (const id of [created.id, item_id, imported.id]) {
    const { properties } = await callOperation<StacItem>('items.get_stac', owner, { item_id: id })
    assert.equal(properties['service:source'], 'TASKING')
  }
  // A caller outside the project cannot find out whether the upload exists.
  const outsider = await app.createOrganization()
  await assert.rejects(
    callOperation('items.create', outsider.owner, { ...itemInput, project_id: outsider.project, upload_id }),
    rejectedWith('not-found'),
  )
})

test(
  'the migration removes forged origins, and keeps those of uploaded items and their copies',
  skipOnCitus('it runs a migration again in one message'),
  async () => {
    const { owner, project } = await app.createOrganization()
    const upload_id = await insertUpload(owner, project)
    const uploaded = newId()
    const lineage = [{ relation: 'uploaded_by' as const, dst: { type: 'upload', id: upload_id } }]
    const plain = { project_id: project, collection_id: null, type: 'clip' as const, geometry: null, datetime: null }
    await owner.transaction((tx) => addItem(tx, owner, { ...plain, id: uploaded, name: 'mine', upload_id, lineage }))
    const copy = await callOperation<Item>('items.duplicate', owner, { item_id: uploaded })
    const forged = await callOperation<Item>('items.create', owner, { ...itemInput, project_id: project })
    const copied = await callOperation<Item>('items.duplicate', owner, { item_id: forged.id })
    await owner.db.query(sql`
    update items set upload_id = ${upload_id}, job_id = ${newId()}, properties = '{"upload_id": "x", "kept": 1}'
    where organization_id = ${owner.organization} and id = any(${[forged.id, copied.id]}::uuid[])`)
    await app.database.runScript(await readFile(`${migrationsDir}0021_item_origins.sql`, 'utf8'))
    const stored = await Promise.all(
      [uploaded, copy.id, forged.id, copied.id].map((item_id) =>
        callOperation<{ item: Item }>('items.get', owner, { item_id }),
      ),
    )
    assert.deepEqual(
      stored.map(({ item }) => [item.upload_id, item.job_id, item.properties]),
      [
        [upload_id, null, {}],
        [upload_id, null, {}],
        [null, null, { kept: 1 }],
        [null, null, { kept: 1 }],
      ],
    )
  },
)
