import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { findAssetsOfItem } from '../../items/assets/store.assets.ts'
import { findItem } from '../../items/store.ts'

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
})
after(() => services?.close())

/** A polygon of thin teeth over a box, with almost the most positions that are accepted. */
function createComb([west, south, east, north]: readonly number[]): object {
  const teeth = 2490
  const step = (east! - west!) / teeth
  const base = south! + (north! - south!) * 0.01
  const points = Array.from({ length: teeth }, (_, at) => {
    const left = west! + at * step
    return [
      [left, base],
      [left + step * 0.3, north],
      [left + step * 0.6, north],
      [left + step * 0.9, base],
    ]
  }).flat()
  return { type: 'Polygon', coordinates: [[[west, south], ...points, [east, south], [west, south]]] }
}

test('a clip to an area whose part in the footprint is too costly has the footprint, and the process goes on', async () => {
  const [asset] = await findAssetsOfItem(org.owner.db, org.organization, heights)
  const { job } = await org.invoke<{ job: Job }>('processing.execute', {
    process_id: 'clip',
    workspaceId: org.project,
    inputs: { item: heights, geometry: createComb(asset!.raster!.bounds) },
  })
  let longest_ms = 0
  let last_ms = performance.now()
  const timer = setInterval(() => {
    longest_ms = Math.max(longest_ms, performance.now() - last_ms)
    last_ms = performance.now()
  }, 10)
  await org.runner.runPending()
  clearInterval(timer)
  const ended = (await org.invoke<{ job: Job }>('processing.job.get', { job_id: job.id })).job
  assert.equal(ended.status, 'completed', JSON.stringify(ended.failure))
  const written = (await findItem(org.owner.db, org.organization, ended.item_ids[0]!))!
  const { coordinates } = written.geometry as unknown as { coordinates: unknown[][] }
  assert.ok(coordinates[0]!.length < 1000, 'the footprint, not the comb')
  // On this thread it took minutes, until the heap was full.
  assert.ok(longest_ms < 5000, `${longest_ms} ms`)
})
