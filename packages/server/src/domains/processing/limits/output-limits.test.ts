import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../platform/database/sql.ts'
import { Problem } from '../../../engine/problem.ts'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { max_job_output_samples, requireOutputWithinLimits } from './output-limits.ts'

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
  // As of an upload, whose statistics are known.
  const statistics = { minimum: 0, maximum: 300, mean: 100, stddev: 40, valid_percent: 100, p2: 1, p98: 290 }
  await org.owner.db.query(sql`
    update assets set raster = jsonb_set(raster, '{bands,0,statistics}', ${sql.json(statistics)}::jsonb)
    where organization_id = ${org.organization} and item_id = ${heights}`)
})
after(() => services?.close())

interface FieldError {
  readonly path: string
  readonly message: string
}

/** The field errors of a process that is refused before anything is held. */
async function refuse(process_id: string, inputs: object): Promise<readonly FieldError[]> {
  const request = { process_id, workspaceId: org.project, inputs: { item: heights, ...inputs } }
  const error = await org.invoke('processing.execute', request).then(
    () => null,
    (problem: unknown) => problem,
  )
  assert.ok(error instanceof Problem && error.problem === 'validation', `${process_id}: ${String(error)}`)
  return error.extra['errors'] as readonly FieldError[]
}

const estimate = (process_id: string, inputs: object): Promise<unknown> =>
  org.invoke('processing.catalog.estimate', { process_id, inputs: { item: heights, ...inputs } })

test('a parameter that makes a result too large is named with a value that does not', async () => {
  for (const [process_id, name, inputs] of [
    ['resample', 'resolution', { resolution: 1e-3 }],
    ['resample', 'resolution', { resolution: 1e-300 }],
    ['reproject', 'resolution', { epsg: 4326, resolution: 1e-12 }],
    ['reproject', 'resolution', { epsg: 3857, resolution: 1e-9 }],
    ['contours', 'interval', { interval: 1e-6 }],
    ['contours', 'interval', { interval: 1e-300, base: 1e9 }],
  ] as const) {
    const [error] = await refuse(process_id, inputs)
    assert.equal(error!.path.split('.').at(-1), name, JSON.stringify(error))
    const named = Number(/(\S+) gives few/.exec(error!.message)?.[1])
    assert.ok(named > 0, error!.message)
    await estimate(process_id, { ...inputs, [name]: named })
  }
})

test('a result of more samples than are written in the longest time is refused', () => {
  const samples = max_job_output_samples + 1
  const refusal = (id: string) => {
    try {
      requireOutputWithinLimits({ id }, { samples, memory_bytes: 0 })
    } catch (error) {
      return error as Problem
    }
    return assert.fail('was not refused')
  }
  assert.deepEqual([refusal('mosaic').problem, refusal('hillshade').problem], ['validation', 'budget-exceeded'])
  assert.match(JSON.stringify(refusal('mosaic').extra), /items/)
  requireOutputWithinLimits({ id: 'mosaic' }, { samples: samples - 1, memory_bytes: 0 })
})
