import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { clientOf, grantCredits, serverSettings } from '../crash/crash-server.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { startServer, type ServerProcess } from '../server-process.ts'
import { checkStoppedJobs, makeCleaningsDue } from './check-jobs.ts'

const kill_counts = { short: 4, long: 500 }
const between_ms = 80
/** Of one uptime, so that a slow machine does not get more jobs than it can run. */
const max_calls = 25
const max_uptime_ms = { short: 900, long: 2000 }
const ending_ms = 180_000
/** For the cleanings that a start continues. */
const cleaning_ms = 5000
const max_cleanings = 3

/** A call that creates a job; it is repeated with its key until it has a response. */
interface JobCall {
  readonly key: string
  readonly inputs: object
  readonly process_id: string
  job_id: string | null
}

interface JobsScenario {
  readonly project: string
  readonly item: string
  readonly calls: JobCall[]
  readonly random: () => number
}

/**
 * Kills the server, which is its own worker, again and again while jobs are created, run, cancelled and registered. In the
 * end every job has ended, its hold is resolved once and by its outcome, and no file is left of a job that has no result.
 */
export async function proveJobs({ short, seed }: ProofOptions): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-jobs-'))
  const lane = short ? 'short' : 'long'
  const violations: string[] = []
  let [kills, tries] = [0, 0]
  try {
    let server = await startServer(serverSettings(folder))
    await grantCredits(clientOf(server))
    const scenario = await createJobsScenario(clientOf(server), createRandom(seed))
    while (kills < kill_counts[lane] && tries < kill_counts[lane] * 5) {
      tries++
      if (await createJobsUntilKilled(server, scenario, max_uptime_ms[lane])) kills++
      server = await startServer(serverSettings(folder))
      console.log(`kill ${kills}/${kill_counts[lane]}, ${scenario.calls.length} jobs`)
      await retryUnanswered(clientOf(server), scenario)
    }
    if (kills < kill_counts[lane]) violations.push(`only ${kills} kills happened while a job was open`)
    violations.push(...(await waitUntilEnded(clientOf(server), scenario)))
    await server.stop()
    violations.push(...(await checkAfterCleaning(folder)))
    return { tried: `${kills} kills with open jobs, ${scenario.calls.length} jobs`, violations }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Checks the stopped server; cleanings that wait, or that its stop has interrupted, run once it is started again. */
async function checkAfterCleaning(folder: string): Promise<string[]> {
  let found = await checkStoppedJobs(folder)
  for (let tries = 0; tries < max_cleanings && found.length > 0; tries++) {
    await makeCleaningsDue(folder)
    const server = await startServer(serverSettings(folder))
    await pause(cleaning_ms)
    await server.stop()
    found = await checkStoppedJobs(folder)
  }
  return found
}

/** A server with one delivered scene, and its project. */
export async function createJobsScenario(client: Client, random: () => number): Promise<JobsScenario> {
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
    host_name: 'open',
    limit: 1,
  })
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const { id: order_id } = await client.call<{ id: string }>('orders.archive.place', { captures })
  const until = performance.now() + ending_ms
  while ((await client.call<{ status: string }>('orders.get', { order_id })).status !== 'FULFILLED') {
    if (performance.now() > until) throw new Error('the scene of the proof was not delivered')
    await pause(200)
  }
  const manifest = await client.call<{ project_id: string; features: { item_id: string }[] }>('orders.list_assets', {
    order_id,
  })
  return { project: manifest.project_id, item: manifest.features[0]!.item_id, calls: [], random }
}

/** Jobs that succeed, and one in five that fails: a formula without numbers. */
function planCall({ item, calls, random }: JobsScenario): JobCall {
  const key = `job-${calls.length}`
  const isFailing = random() < 0.2
  const inputs = isFailing
    ? { item, expression: 'b1 / (b1 - b1)', title: key }
    : { item, expression: `b1 + ${calls.length}`, title: key }
  return { key, process_id: 'band-math', inputs, job_id: null }
}

/** Creates jobs at short intervals, cancels some, and kills the server at a random time; true if a job was open then. */
async function createJobsUntilKilled(server: ServerProcess, scenario: JobsScenario, max_ms: number): Promise<boolean> {
  const client = clientOf(server)
  let isDead = false
  let open = 0
  const killed = pause(150 + scenario.random() * max_ms).then(async () => {
    const { total } = await client.call<{ total: number }>('processing.jobs.list', { status: 'dispatched,running' })
    open = total + scenario.calls.filter(({ job_id }) => job_id === null).length
    await server.kill()
    isDead = true
  })
  const pending: Promise<unknown>[] = []
  for (let calls = 0; !isDead; calls++) {
    if (calls < max_calls) {
      const call = planCall(scenario)
      scenario.calls.push(call)
      pending.push(create(client, scenario, call).catch(() => undefined))
    }
    const cancelled = scenario.calls[Math.floor(scenario.random() * scenario.calls.length)]!
    if (scenario.random() < 0.2 && cancelled.job_id !== null)
      pending.push(client.call('processing.job.cancel', { job_id: cancelled.job_id }).catch(() => undefined))
    await pause(between_ms)
  }
  await Promise.all([killed, ...pending])
  return open > 0
}

async function create(client: Client, { project }: JobsScenario, call: JobCall): Promise<void> {
  const { job } = await client.call<{ job: Job }>(
    'processing.execute',
    { process_id: call.process_id, workspaceId: project, inputs: call.inputs },
    { idempotencyKey: call.key },
  )
  call.job_id = job.id
}

/** Repeats every call without a response with its key, also while the key is in flight. */
async function retryUnanswered(client: Client, scenario: JobsScenario): Promise<void> {
  for (const call of scenario.calls.filter(({ job_id }) => job_id === null)) {
    let refusal: unknown = null
    for (let tries = 0; call.job_id === null && tries < 40; tries++)
      await create(client, scenario, call).catch((error: unknown) => {
        refusal = error
        return pause(500)
      })
    if (call.job_id === null) throw new Error(`the call ${call.key} gets no successful response`, { cause: refusal })
  }
}

/** Waits until no job is open; each call must have created one job. */
async function waitUntilEnded(client: Client, { calls }: JobsScenario): Promise<string[]> {
  const until = performance.now() + ending_ms
  const countOpen = async (): Promise<number> =>
    (await client.call<{ total: number }>('processing.jobs.list', { status: 'pending,dispatched,running' })).total
  let open = await countOpen()
  while (open > 0 && performance.now() < until) {
    await pause(500)
    open = await countOpen()
  }
  const { total } = await client.call<{ total: number }>('processing.jobs.list', { limit: 1 })
  return [
    ...(open > 0 ? [`${open} jobs have not ended after ${ending_ms / 1000} s`] : []),
    ...(total === calls.length ? [] : [`${calls.length} calls created ${total} jobs`]),
  ]
}
