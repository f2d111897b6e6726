import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { jobLifecycle } from '@swath/contract/lifecycles.ts'
import type { App } from '../../../packages/server/src/app.ts'
import { initialDatabaseContent } from '../../../packages/server/src/initial-content.ts'
import type { Config } from '../../../packages/server/src/platform/config.ts'
import { createDatabase } from '../../../packages/server/src/platform/database/connections.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openDatabase } from '../../../packages/server/src/platform/database/open-database.ts'
import { getDatabaseDriver } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { requeueActiveTasks } from '../../../packages/server/src/platform/queue/open-queue.ts'
import {
  killAtSteps,
  makeDurable,
  type StepKiller,
  type StepKillMoment,
  type WatchedSteps,
} from '../orders/named-steps.ts'
import { endCallsInFlight, startRestartedApp } from '../orders/restarted-app.ts'
import type { StoryProcessLine } from '../orders/story-process.ts'

/** The tables in which a job, its money and its results move. */
const jobSteps: WatchedSteps = {
  tables: new Set([
    'processing_jobs',
    'processing_job_log',
    'credit_holds',
    'credit_hold_resolutions',
    'items',
    'assets',
    'provenance_edges',
    'idempotency_claims',
  ]),
  states: new Set(jobLifecycle.states),
}

const killer: StepKiller = {
  moment: null,
  passed: new Set(JSON.parse(process.env['PASSED_STEPS'] ?? '[]') as string[]),
}

/** Such as "store data.tif"; null for a file that is none of a job. */
function fileStep(verb: string, path: string): string | null {
  const [, folder, name] = /organizations\/[^/]+\/(items|jobs)\/.*?([^/]+)$/.exec(path.replaceAll('\\', '/')) ?? []
  return folder === undefined ? null : `${verb} ${folder === 'jobs' ? 'upload' : name}`
}

/** Makes the storing and the removing of files of jobs steps, too: both are one call of the file system. */
function killAtFiles(): void {
  const { rename, rm } = fs.promises
  const durably = <T>(step: string | null, write: () => Promise<T>): Promise<T> =>
    step === null ? write() : makeDurable(killer, [step], write)
  fs.promises.rename = (from, to) => durably(fileStep('store', String(to)), () => rename(from, to))
  fs.promises.rm = (path, options) => durably(fileStep('remove', String(path)), () => rm(path, options))
  syncBuiltinESMExports()
}

/** Takes the tasks and leases of the killed process away, which was the only one, without waiting for their ends. */
async function endLeases(database: Database): Promise<void> {
  const { unscoped } = database
  const [row] = await unscoped.query<{ hasQueue: boolean }>(sql`
    select to_regclass('boss.job') is not null as "hasQueue"`)
  // A new database has no tables yet.
  if (!row!.hasQueue) return
  await unscoped.query(sql`update processing_jobs set lease_until = now() where lease_until > now()`)
  await requeueActiveTasks(database)
}

const openKillableDatabase = async (config: Config): Promise<Database> => {
  const opened = await openDatabase(config, undefined, initialDatabaseContent)
  await endLeases(opened)
  return createDatabase(killAtSteps(getDatabaseDriver(opened), killer, jobSteps), () => {})
}

function addProofRoutes({ fastify }: App): void {
  fastify.post('/proof/arm', (request, reply) => {
    killer.moment = (request.query as { readonly moment?: StepKillMoment }).moment ?? null
    return reply.type('application/json').send('true')
  })
  fastify.post('/proof/forget', (_request, reply) => {
    killer.passed.clear()
    return reply.type('application/json').send('true')
  })
}

/** The product, whose jobs kill it at their steps, on the data that the process before it left. */
async function main(): Promise<void> {
  killAtFiles()
  const app = await startRestartedApp({ openDatabase: openKillableDatabase, addRoutes: addProofRoutes })
  await endCallsInFlight(app.database)
  const line: StoryProcessLine = { violations: [] }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  process.once('SIGTERM', () => void app.close())
}

await main()
