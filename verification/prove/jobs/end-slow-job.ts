import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import type { StoryServer } from '../orders/story-server.ts'
import { listChildren, readCpuTime } from '../process-tree.ts'
import { createJob, type JobCall, type JobsScenario } from './job-calls.ts'

const timeout_ms = 120_000
const poll_ms = 50
/** In which a cancelled job stops, whatever it does. */
const cancel_ms = 2000
const measured_s = 2
/** Of one core, with nothing to do: the server polls its queue. */
const max_idle_share = 0.3

/** Pixels of a metre of an image that has pixels of many: they take many seconds. */
const createSlowJob = async (client: Client, scenario: JobsScenario): Promise<JobCall> => {
  const key = `slow-${scenario.calls.length}`
  const inputs = { item: scenario.item, epsg: 3857, resolution: 1, title: key }
  const call: JobCall = { key, process_id: 'reproject', inputs, isCancelled: false, job_id: null }
  scenario.calls.push(call)
  await createJob(client, scenario, call)
  return call
}

const getJob = async (client: Client, { job_id }: JobCall): Promise<Job> =>
  (await client.call<{ job: Job }>('processing.job.get', { job_id: job_id! })).job

async function waitFor<T>(
  what: string,
  find: () => Promise<T | null | undefined | false>,
  within_ms: number = timeout_ms,
): Promise<T> {
  const until = performance.now() + within_ms
  while (performance.now() < until) {
    const found = await find().catch(() => null)
    if (found) return found
    await pause(poll_ms)
  }
  throw new Error(`${what}: not within ${within_ms / 1000} s`)
}

const waitUntilRunning = (client: Client, call: JobCall, attempt: number): Promise<Job> =>
  waitFor(`attempt ${attempt} runs`, async () => {
    const job = await getJob(client, call)
    return job.status === 'running' && job.attempt === attempt && job
  })

/** Whether a process uses a quarter of a second of CPU time within ten seconds, however busy the machine is. */
async function waitForCpuTime(pid: number): Promise<boolean> {
  const before = await readCpuTime(pid)
  const hasComputed = async (): Promise<boolean> => (await readCpuTime(pid)) - before > 0.25
  return waitFor('the process computes', hasComputed, 10_000).catch(() => false)
}

/** Cancels a job while it computes; its thread must not go on for longer than two seconds. */
export async function cancelRunningJob(
  server: StoryServer,
  client: Client,
  scenario: JobsScenario,
): Promise<readonly string[]> {
  const call = await createSlowJob(client, scenario)
  await waitUntilRunning(client, call, 1)
  await pause(1000)
  const isWorking = await waitForCpuTime(server.pid)
  await client.call('processing.job.cancel', { job_id: call.job_id! })
  await pause(cancel_ms)
  const before = await readCpuTime(server.pid)
  await pause(measured_s * 1000)
  const share = ((await readCpuTime(server.pid)) - before) / measured_s
  const { status } = await getJob(client, call)
  console.log(`a cancelled job: ${status}, ${Math.round(share * 100)} % of a core after ${cancel_ms / 1000} s`)
  return [
    ...(isWorking ? [] : ['the job to cancel did not compute']),
    ...(status === 'cancelled' ? [] : [`the cancelled job is ${status}`]),
    ...(share <= max_idle_share ? [] : [`a cancelled job computes: ${share.toFixed(2)} of a core`]),
  ]
}

/**
 * Kills the server while a job computes. The next attempt works in a process of its own; once that is killed, too, the job has
 * failed, its hold is released, and the server goes on.
 */
export async function killWorkerOfLostJob(
  server: StoryServer,
  client: Client,
  scenario: JobsScenario,
): Promise<readonly string[]> {
  const call = await createSlowJob(client, scenario)
  await waitUntilRunning(client, call, 1)
  await server.kill()
  await server.start()
  await waitUntilRunning(client, call, 2)
  const worker = await waitFor('the process of the second attempt', async () => (await listChildren(server.pid))[0])
  process.kill(worker, 'SIGKILL')
  const { status, failure, settlement, attempt } = await waitFor('the end of the job', async () => {
    const job = await getJob(client, call)
    return job.failure && job
  })
  const end = `${status}, ${failure?.code}, ${settlement}, ${attempt} attempts`
  console.log(`a job whose process was killed after the server: ${end}`)
  return end === 'failed, worker-lost, released, 2 attempts' ? [] : [`a lost job ended as ${end}`]
}
