import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import { RasterFailure } from '@swath/raster'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { sql } from '../../../platform/database/sql.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import {
  rasterServiceKey,
  type OrganizationRasterJobRunner,
  type RasterThreadJobOptions,
} from '../../tiles/raster-pool.ts'
import { findJob, type JobRow } from '../store.ts'

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
})
after(() => services?.close())

let azimuth = 0

async function execute(): Promise<string> {
  const inputs = { item: heights, azimuth: ++azimuth }
  const request = { process_id: 'hillshade', workspaceId: org.project, inputs }
  return (await org.invoke<{ job: Job }>('processing.execute', request)).job.id
}

const getJob = async (id: string): Promise<JobRow> => (await findJob(org.owner.db, org.organization, id))!

/** Makes the job look as the start of a server finds it after its process was killed. */
const loseWorker = (id: string): Promise<unknown> =>
  org.owner.db.query(sql`
    update processing_jobs set status = 'running', attempt = attempt + 1, started_at = created_at, lease_until = created_at
    where organization_id = ${org.organization} and id = ${id}`)

/** Notes how raster jobs that write images are run; `work` may run instead of one. */
function watchRuns(t: TestContext, work?: (options: RasterThreadJobOptions) => Promise<never>): boolean[] {
  const isolated: boolean[] = []
  const { forOwner } = services.processServices.get(rasterServiceKey)
  t.mock.method(
    services.processServices.get(rasterServiceKey),
    'forOwner',
    (owner: Parameters<typeof forOwner>[0]): OrganizationRasterJobRunner => {
      const jobs = forOwner(owner)
      const run: OrganizationRasterJobRunner['run'] = (job, rasters, request, options = {}) => {
        if (job !== 'processToCog') return jobs.run(job, rasters, request, options)
        isolated.push(options.isolated === true)
        return work ? work(options) : jobs.run(job, rasters, request, options)
      }
      return { ...jobs, run }
    },
  )
  return isolated
}

test('the attempt after one that ended with its process runs alone in a process', async (t) => {
  const isolated = watchRuns(t)
  const id = await execute()
  await loseWorker(id)
  await org.runner.runPending()
  const job = await getJob(id)
  assert.deepEqual([job.status, job.attempt, job.lost_attempts, isolated], ['completed', 2, 1, [true]])
  const { entries } = await org.invoke<{ entries: { message: string }[] }>('processing.job.log', { job_id: id })
  assert.ok(entries.some(({ message }) => message.includes('in a process of its own')))
  const other = await execute()
  await org.runner.runPending()
  assert.deepEqual([(await getJob(other)).status, isolated], ['completed', [true, false]])
})

test('a job whose own process ends fails as worker-lost, and its hold is released', async (t) => {
  const id = await execute()
  await loseWorker(id)
  watchRuns(t, () => Promise.reject(new RasterFailure('worker_lost', 'the process ended')))
  await org.runner.runPending()
  const job = await getJob(id)
  assert.deepEqual([job.status, job.settlement, job.failure_code], ['failed', 'released', 'worker-lost'])
  const { held_credits } = await readWalletBalance(org.owner.db, org.organization, org.owner.clock.now())
  assert.equal(held_credits, 0)
})

test('attempts that end with a stop of the server or a failed read do not count, however many they are', async (t) => {
  const id = await execute()
  const data = { organization_id: org.organization, job_id: id }
  for (let stop = 1; stop <= 12; stop++) {
    const stopping = new AbortController()
    const isolated = watchRuns(t, async ({ signal }) => {
      if (stop % 2 === 0) throw new RasterFailure('source', 'the host is away')
      stopping.abort()
      assert.ok(signal!.aborted)
      throw new RasterFailure('cancelled', 'the read was cancelled')
    })
    await assert.rejects(org.runner.runTask(backgroundTaskTypes.runJob, data, stopping.signal))
    const { status, attempt, lost_attempts } = await getJob(id)
    assert.deepEqual([status, attempt, lost_attempts, isolated], ['dispatched', stop, 0, [false]])
    t.mock.restoreAll()
  }
  await org.runner.runPending()
  assert.equal((await getJob(id)).status, 'completed')
})
