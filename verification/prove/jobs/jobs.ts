import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startKillableServer, type KillableServer } from '../harness/killable-server.ts'
import type { StepKillMoment } from '../harness/kill-points.ts'
import { createRandom } from '../harness/random.ts'
import { createConfiguredDatabase, createFolder, waitFor } from '../harness/resources.ts'
import { grantCredits } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { checkStoppedJobs, makeCleaningsDue } from './check-jobs.ts'
import type { StoppedServer } from '../harness/rules.ts'
import {
  countOpenJobs,
  createJob,
  createJobsScenario,
  planCalls,
  retryUnanswered,
  waitUntilEnded,
  type JobsScenario,
  type JobCall,
} from './job-calls.ts'
import type { Client } from '@swath/client/client.ts'
import type { Job } from '@swath/contract/schemas/job.ts'
import { listChildren, readCpuTime } from '../harness/process-tree.ts'

const program = fileURLToPath(new URL('job-process.ts', import.meta.url))
/** Of a run, and of one of its rounds at most; the rounds alternate between the moments. */
const kill_counts = { short: { kills: 4, round: 2 }, long: { kills: 500, round: Infinity } }
const moments: readonly StepKillMoment[] = ['before', 'after']
/** Of the kills: the others are at named steps. */
const random_share = 0.2
const max_random_ms = 1500
/** In which the jobs of one start end, unless one of their steps kills the server. */
const max_uptime_ms = 20_000
const poll_ms = 100
/** With fewer, more are created. */
const max_open_jobs = 6
/** For the cleanings that a start continues. */
const cleaning_ms = 5000
const max_cleanings = 3

/**
 * Kills the server, which is its own worker, at each named step of jobs that are created, run, cancelled and registered: before
 * the step is durable, and right after it; a step is a write of a job, its money, its items or its files. Every fifth kill is
 * at a random time. Before them a job is cancelled while it computes, and another loses the server and then its own process. In
 * the end every job has ended, its hold is resolved once and by its outcome, and no file is left of a job that has no result.
 * With `DATABASE_URL` the data are in a database of that PostgreSQL server, which a kill leaves running.
 */
export async function proveJobs({ short, seed }: ProofOptions): Promise<ProofResult> {
  await using folder = await createFolder('jobs')
  await using database = await createConfiguredDatabase()
  const database_url = database.url
  await using server = await startKillableServer({ folder: folder.path, database_url, program })
  await grantCredits(server.client)
  const scenario = await createJobsScenario(server.client, createRandom(seed))
  const violations = [...(await cancelRunningJob(server, scenario)), ...(await killWorkerOfLostJob(server, scenario))]
  const steps = await killRepeatedly(server, scenario, kill_counts[short ? 'short' : 'long'])
  await server.arm(null)
  violations.push(...(await waitUntilEnded(server.client, scenario)))
  await server.stop()
  violations.push(...(await checkAfterCleaning(server, { data_dir: folder.path, database_url })))
  if (steps.size === 0) violations.push('no named step killed the server')
  const tried = `${server.kills} kills at ${steps.size} named steps and at random times, ${scenario.calls.length} jobs`
  return { tried, violations }
}

/** Kills the server so many times; returns the names of the steps at which it died. */
async function killRepeatedly(
  server: KillableServer,
  scenario: JobsScenario,
  { kills, round: max_round_kills }: { readonly kills: number; readonly round: number },
): Promise<ReadonlySet<string>> {
  const steps = new Set<string>()
  for (let round = 0; server.kills < kills; round++) {
    const moment = moments[round % moments.length]!
    server.passed.clear()
    // Until no step is left that has not killed the server in this round.
    const last_kill = Math.min(kills, server.kills + max_round_kills)
    while (server.kills < last_kill && (await createJobsUntilKilled(server, scenario, moment))) {
      for (const step of server.passed) steps.add(`${moment} ${step}`)
      await server.start()
      await retryUnanswered(server.client, scenario)
      console.log(`kill ${server.kills} of ${kills}, ${moment} a step; ${scenario.calls.length} jobs`)
    }
  }
  return steps
}

/** Creates jobs, and cancels one of them; true if the server died, at a step or at a random time, before all of them ended. */
async function createJobsUntilKilled(
  server: KillableServer,
  scenario: JobsScenario,
  moment: StepKillMoment,
): Promise<boolean> {
  const { client } = server
  const isRandom = scenario.random() < random_share
  await server.arm(isRandom ? null : moment)
  // A server that is killed often finishes few jobs; those that wait are taken first.
  const planned = (await countOpenJobs(client).catch(() => 0)) < max_open_jobs ? planCalls(scenario) : []
  scenario.calls.push(...planned)
  const answered = Promise.allSettled(
    planned.map(async (call) => {
      await createJob(client, scenario, call)
      if (call.isCancelled) await client.call('processing.job.cancel', { job_id: call.job_id! })
    }),
  )
  if (isRandom) {
    await pause(scenario.random() * max_random_ms)
    await server.kill()
    server.kills++
  }
  await answered
  return isRandom || waitForDeath(server)
}

/** False once all jobs have ended and the server lives. */
async function waitForDeath(server: KillableServer): Promise<boolean> {
  const count = (): Promise<number | null> => countOpenJobs(server.client).catch(() => null)
  const until = performance.now() + max_uptime_ms
  while (performance.now() < until) {
    const open = await count()
    if (open === null && (await server.hasDied())) return true
    if (open === 0) {
      // Files of failed and cancelled jobs are removed after their end.
      await pause(poll_ms * 5)
      return (await count()) === null && server.hasDied()
    }
    await pause(poll_ms)
  }
  return false
}

/** Checks the stopped server; cleanings that wait, or that its stop has interrupted, run once it is started again. */
async function checkAfterCleaning(server: KillableServer, stopped: StoppedServer): Promise<string[]> {
  let found = await checkStoppedJobs(stopped)
  for (let tries = 0; tries < max_cleanings && found.length > 0; tries++) {
    await makeCleaningsDue(stopped)
    await server.start()
    await pause(cleaning_ms)
    await server.stop()
    found = await checkStoppedJobs(stopped)
  }
  return found
}

const timeout_ms = 120_000
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

async function requireSoon<T>(what: string, find: () => Promise<T | null | undefined | false>): Promise<T> {
  const found = await waitFor(() => find().catch(() => null), { timeout_ms, poll_ms: 50 })
  if (found === null) throw new Error(`${what}: not within ${timeout_ms / 1000} s`)
  return found
}

const waitUntilRunning = (client: Client, call: JobCall, attempt: number): Promise<Job> =>
  requireSoon(`attempt ${attempt} runs`, async () => {
    const job = await getJob(client, call)
    return job.status === 'running' && job.attempt === attempt && job
  })

/** Whether a process uses a quarter of a second of CPU time within ten seconds, however busy the machine is. */
async function hasCpuTime(pid: number): Promise<boolean> {
  const before = await readCpuTime(pid)
  const find = async () => (await readCpuTime(pid)) - before > 0.25
  return (await waitFor(find, { timeout_ms: 10_000, poll_ms: 500 })) ?? false
}

/** Cancels a job while it computes; its thread must not go on for longer than two seconds. */
async function cancelRunningJob(server: KillableServer, scenario: JobsScenario): Promise<readonly string[]> {
  const { client } = server
  const call = await createSlowJob(client, scenario)
  await waitUntilRunning(client, call, 1)
  await pause(1000)
  const isWorking = await hasCpuTime(server.pid)
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
async function killWorkerOfLostJob(server: KillableServer, scenario: JobsScenario): Promise<readonly string[]> {
  const { client } = server
  const call = await createSlowJob(client, scenario)
  await waitUntilRunning(client, call, 1)
  await server.restart()
  await waitUntilRunning(client, call, 2)
  const worker = await requireSoon('the process of the second attempt', async () => (await listChildren(server.pid))[0])
  // While it computes: the message with its job may not have arrived yet.
  await hasCpuTime(worker)
  process.kill(worker, 'SIGKILL')
  const { status, failure, settlement, attempt } = await requireSoon('the end of the job', async () => {
    const job = await getJob(client, call)
    return job.failure && job
  })
  const end = `${status}, ${failure?.code}, ${settlement}, ${attempt} attempts`
  console.log(`a job whose process was killed after the server: ${end}`)
  return end === 'failed, worker-lost, released, 2 attempts' ? [] : [`a lost job ended as ${end}`]
}
