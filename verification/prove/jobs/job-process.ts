import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { jobLifecycle } from '@swath/contract/lifecycles.ts'
import { makeDurable, type WatchedSteps } from '../harness/kill-points.ts'
import { announceReady, createStepKiller, startKillableApp } from '../harness/proof-app.ts'

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

const killer = createStepKiller()

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

// The product, whose jobs kill it at their steps, on the data that the process before it left.
killAtFiles()
announceReady(await startKillableApp(jobSteps, { killer }))
