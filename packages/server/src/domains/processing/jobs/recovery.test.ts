import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '@swath/contract/schemas/job.ts'
import {
  createOrganizationWithHeights,
  type OrganizationWithHeights,
} from '../../../../test/processing/organization-with-heights.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { sql } from '../../../platform/database/sql.ts'
import { claimJobAttempt } from '../run-job.ts'
import { findJob } from '../store.ts'
import { endLeasesOfKilledWorkers } from '../sweep.task.ts'

const held_until = new Date('2100-01-01')

let services: TestServices
let org: OrganizationWithHeights['org']
let heights: string
before(async () => {
  services = await openTestServices()
  ;({ org, heights } = await createOrganizationWithHeights(services))
})
after(() => services?.close())

/** A job that a worker took, and its task, which was returned to the queue. */
async function createTakenJob(worker: 'server' | 'external', azimuth: number): Promise<string> {
  const request = { process_id: 'hillshade', workspaceId: org.project, inputs: { item: heights, azimuth } }
  const { job } = await org.invoke<{ job: Job }>('processing.execute', request)
  await org.owner.db.query(sql`
    update processing_jobs
    set status = 'running', attempt = 1, worker = ${worker}, started_at = created_at, lease_until = ${held_until}
    where organization_id = ${org.organization} and id = ${job.id}`)
  return job.id
}

const getJob = async (job_id: string): Promise<Job> =>
  (await org.invoke<{ job: Job }>('processing.job.get', { job_id })).job

test('after the only process was killed, its jobs run again at once, and those of outside workers go on', async () => {
  const own = await createTakenJob('server', 300)
  const outside = await createTakenJob('external', 200)
  await endLeasesOfKilledWorkers(services.database)
  await org.runner.runPending()
  const job = await getJob(own)
  assert.deepEqual([job.status, job.settlement, job.attempt], ['completed', 'captured', 2])
  assert.equal((await getJob(outside)).status, 'running')
  const row = await findJob(org.owner.db, org.organization, outside)
  assert.deepEqual(row!.lease_until, held_until)
})

test('a worker keeps its job while the clock of the organization jumps, until its lease ends', async () => {
  const { clock } = services
  const { organization, owner } = org
  const id = await createTakenJob('server', 100)
  const lease_until = new Date(clock.now().getTime() + 60_000)
  await owner.db.query(sql`
    update processing_jobs set lease_until = ${lease_until} where organization_id = ${organization} and id = ${id}`)
  const take = async (): Promise<number | undefined> =>
    (await owner.transaction((tx) => claimJobAttempt(tx, owner, id)))?.attempt
  clock.advance(86_400_000, organization)
  assert.equal(await take(), undefined)
  clock.advance(60_000)
  assert.equal(await take(), 2)
})
