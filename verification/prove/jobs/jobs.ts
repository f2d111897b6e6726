import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createDatabaseIfServer } from '../../../packages/server/test/database.ts'
import { grantCredits } from '../crash/crash-server.ts'
import type { StepKillMoment } from '../orders/named-steps.ts'
import { login, StoryServer } from '../orders/story-server.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { checkStoppedJobs, makeCleaningsDue, type StoppedServer } from './check-jobs.ts'
import { cancelRunningJob, killWorkerOfLostJob } from './end-slow-job.ts'
import {
  countOpenJobs,
  createJob,
  createJobsScenario,
  planCalls,
  retryUnanswered,
  waitUntilEnded,
  type JobsScenario,
} from './job-calls.ts'

const program = fileURLToPath(new URL('job-process.ts', import.meta.url))
const kill_counts = { short: 12, long: 500 }
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
 * at a random time. Before them a job is cancelled while it computes, and another loses the server and then its own process. In the end every job has ended, its hold is resolved once and by its outcome, and no file is left of a job
 * that has no result. With `DATABASE_URL` the data are in a database of that PostgreSQL server, which a kill leaves running.
 */
export async function proveJobs({ short, seed }: ProofOptions): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-jobs-'))
  const database = await createDatabaseIfServer()
  const server = await StoryServer.open(folder, database?.url ?? null, program)
  const client = createClient({ baseUrl: server.url, token: createTokenSource(server.url, login) })
  try {
    await grantCredits(client)
    const scenario = await createJobsScenario(client, createRandom(seed))
    const ended = [
      ...(await cancelRunningJob(server, client, scenario)),
      ...(await killWorkerOfLostJob(server, client, scenario)),
    ]
    const steps = await killRepeatedly(server, client, scenario, short ? kill_counts.short : kill_counts.long)
    await server.arm(null)
    const violations = [...ended, ...(await waitUntilEnded(client, scenario))]
    await server.stop()
    violations.push(...(await checkAfterCleaning(server, { data_dir: folder, database_url: database?.url ?? null })))
    if (steps.size === 0) violations.push('no named step killed the server')
    const tried = `${server.kills} kills at ${steps.size} named steps and at random times, ${scenario.calls.length} jobs`
    return { tried, violations }
  } finally {
    await server.close()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Kills the server so many times; returns the names of the steps at which it died. */
async function killRepeatedly(
  server: StoryServer,
  client: Client,
  scenario: JobsScenario,
  kills: number,
): Promise<ReadonlySet<string>> {
  const steps = new Set<string>()
  for (let round = 0; server.kills < kills; round++) {
    const moment = moments[round % moments.length]!
    await server.forgetSteps()
    // Until no step is left that has not killed the server in this round.
    while (server.kills < kills && (await createJobsUntilKilled(server, client, scenario, moment))) {
      for (const step of server.passed) steps.add(`${moment} ${step}`)
      await server.start()
      await retryUnanswered(client, scenario)
      console.log(`kill ${server.kills} of ${kills}, ${moment} a step; ${scenario.calls.length} jobs`)
    }
  }
  return steps
}

/** Creates jobs, and cancels one of them; true if the server died, at a step or at a random time, before all of them ended. */
async function createJobsUntilKilled(
  server: StoryServer,
  client: Client,
  scenario: JobsScenario,
  moment: StepKillMoment,
): Promise<boolean> {
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
  return isRandom || waitForDeath(server, client)
}

/** False once all jobs have ended and the server lives. */
async function waitForDeath(server: StoryServer, client: Client): Promise<boolean> {
  const until = performance.now() + max_uptime_ms
  while (performance.now() < until) {
    const open = await countOpenJobs(client).catch(() => null)
    if (open === null && (await server.hasDied())) return true
    if (open === 0) {
      // Files of failed and cancelled jobs are removed after their end.
      await pause(poll_ms * 5)
      return (await countOpenJobs(client).catch(() => null)) === null && server.hasDied()
    }
    await pause(poll_ms)
  }
  return false
}

/** Checks the stopped server; cleanings that wait, or that its stop has interrupted, run once it is started again. */
async function checkAfterCleaning(server: StoryServer, stopped: StoppedServer): Promise<string[]> {
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
