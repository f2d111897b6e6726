import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { Call } from '../../../engine/call.ts'
import type { OperationHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { readCallInput } from '../../../engine/input/read-input.ts'
import { sql } from '../../../platform/database/sql.ts'
import { deliverItem } from '../../../../test/test-services.ts'
import { sceneInput, sceneBands, storeRasterAsset } from '../../../../test/rasters.ts'
import { openUploadServices, type UploadServices } from '../../../../test/upload-services.ts'
import { operationHandlers } from '../../handlers.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

let app: UploadServices
before(async () => {
  app = await openUploadServices()
})
after(() => app?.close())

/** The response of an operation as text, or its problem name. */
async function callOperation(call: Call, id: string, input: Record<string, unknown>): Promise<string> {
  const { operation, handle } = operationHandlers.get(id) as OperationHandler
  try {
    return JSON.stringify(await handle({ ...call, operation: id }, readCallInput(operation, input) as never))
  } catch (error) {
    if (error instanceof Problem) return error.problem
    throw error
  }
}

/** An item with the 30 days retention of the free plan, and one without retention. */
async function makeItems() {
  const { owner, project, organization } = await app.createOrganization()
  const asset = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  const permanentItem = await deliverItem(owner, project, { datetime: new Date('2024-06-20T10:00:00Z') })
  await owner.db.query(sql`update organizations set plan = 'free' where organization_id = ${organization}`)
  const { item_id, collection_id } = await deliverItem(owner, project, {
    assets: [asset],
    collection_id: permanentItem.collection_id,
    properties: { passing: 1 },
  })
  const tile = findTileAt(10.45, 50.52, 14)
  const season = '2024-05-15T00:00:00Z/2024-06-15T00:00:00Z'
  const lists: readonly [string, Record<string, unknown>][] = [
    ['items.search', { project_id: project }],
    ['items.search', { project_id: project, format: 'stac' }],
    ['items.search', { project_id: project, bbox: [9, 49, 12, 52] }],
    ['items.search', { project_id: project, datetime: season }],
    ['items.search_org', {}],
    ['items.search_org', { sortby: [{ field: 'created', direction: 'asc' }] }],
    ['items.list', { project_id: project }],
    ['items.list_by_collection', { collection_id }],
    ['stac.search', {}],
    ['stac.search', { collections: [collection_id], datetime: '2024-01-01T00:00:00Z/..' }],
    ['stac.items.list', { collection_id }],
  ]
  const single: readonly [string, Record<string, unknown>][] = [
    ['items.get', { item_id }],
    ['items.get_stac', { item_id }],
    ['items.list_assets', { item_id }],
    ['items.tile.render', { item_id, ...tile }],
    ['items.tile.preview', { item_id }],
    ['items.tile.point', { item_id, lon: 10.45, lat: 50.52 }],
  ]
  const found = async (): Promise<boolean[]> => {
    const all: boolean[] = []
    for (const [id, input] of lists) all.push((await callOperation(owner, id, input)).includes(item_id))
    return all
  }
  const problems = async (): Promise<(string | null)[]> => {
    const all: (string | null)[] = []
    for (const [id, input] of single) {
      const text = await callOperation(owner, id, input)
      all.push(text.startsWith('{') ? null : text)
    }
    return all
  }
  /** The count of matches of each list, without the page. */
  const counts = async (): Promise<(number | undefined)[]> => {
    const all: (number | undefined)[] = []
    for (const [id, input] of lists) {
      const text = await callOperation(owner, id, { ...input, limit: 1 })
      const match = /\\?"(?:numberMatched|total)\\?":(\d+)/.exec(text)
      all.push(match ? Number(match[1]) : undefined)
    }
    return all
  }
  const aggregates = async () => ({
    aggregate: /"total_count"[^}]*"value":(\d+)/.exec(
      (await callOperation(owner, 'stac.aggregate', {})).replaceAll('\\', ''),
    )?.[1],
    queryable: (await callOperation(owner, 'stac.queryables', {})).includes('passing'),
  })
  return { organization, lists, single, found, problems, counts, facts: aggregates }
}

test('an expired item is not found, counted or readable, before and after a sweep', async () => {
  const { organization, lists, single, found, problems, counts, facts: aggregates } = await makeItems()
  const other = await makeItems()
  const every = <T>(of: readonly unknown[], value: T): T[] => of.map(() => value)
  const before = await counts()
  assert.deepEqual(await found(), every(lists, true))
  assert.deepEqual(await problems(), every(single, null))
  assert.deepEqual(await aggregates(), { aggregate: '2', queryable: true })

  app.clock.advance(30 * day_ms - 1, organization)
  assert.deepEqual(await found(), every(lists, true))
  app.clock.advance(1, organization)
  const assertExpired = async (): Promise<void> => {
    assert.deepEqual(await found(), every(lists, false))
    assert.deepEqual(
      await counts(),
      before.map((count) => count! - 1),
    )
    assert.deepEqual(await problems(), every(single, 'gone-retention'))
    assert.deepEqual(await aggregates(), { aggregate: '1', queryable: false })
  }
  await assertExpired()
  await app.taskRunner.runTask(backgroundTaskTypes.sweepRetention)
  await assertExpired()
  assert.deepEqual(await other.found(), every(lists, true))
  assert.deepEqual(await other.problems(), every(single, null))
})
