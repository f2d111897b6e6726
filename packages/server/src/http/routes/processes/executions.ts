import { setTimeout as pause } from 'node:timers/promises'
import type { Job } from '@swath/contract/schemas/job.ts'
import type { CallResult } from '../../../engine/pipeline/call-result.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { getRequestHeader, type ReadCallBody } from '../../http-call.ts'
import { readExecuteRequest, readProcessInputValues } from '../../representations/ogc-processes/execute-request.ts'
import { toOgcStatusInfo } from '../../representations/ogc-processes/jobs.ts'
import { parsePreferences } from '../../representations/ogc-processes/preferences.ts'
import { getResultJsonValue } from '../../representations/representation.ts'
import { createDisconnectSignal } from '../../server.ts'
import { throwStoredProblem } from '../../stored-problem.ts'
import { readJobResults, sendJobResults } from './job-results.ts'
import { send, type Handle, type ProcessesCall } from './processes-call.ts'

/** The time that a synchronous execution waits at most; a longer job is answered as an asynchronous one. */
const max_sync_ms = 30_000
/** The pauses between looks at a job; the last one repeats. Each look counts against the rate limit of the organization. */
const poll_pauses_ms = [250, 500, 1000, 2000] as const

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The project that the request names, or the caller, for whom the operation takes their oldest project. */
async function findWorkspace(call: ProcessesCall): Promise<string> {
  const named = call.query['workspaceId']
  if (typeof named === 'string') return named
  const { user } = await call.read<{ user: { id: string } | null }>('users.me', () => ({}))
  if (user) return user.id
  throw new Problem('not-found', 'Name the project as `workspaceId`: this token belongs to no user.')
}

/** What the operation takes besides the process and the project. */
function toExecuteInput(call: ProcessesCall, body: unknown): object {
  if (call.dialect === 'ogc') return readExecuteRequest(body)
  return {
    collect_results: true,
    budgetId: text(call.query['budgetId']),
    inputs: readProcessInputValues((body as { readonly inputs?: unknown }).inputs),
  }
}

/** Runs the process. A 404 is about the process, or about an item or the project. */
async function runProcess(call: ProcessesCall): Promise<CallResult> {
  const workspaceId = await findWorkspace(call)
  try {
    const result = await call.run('processing.execute', async (operation) => ({
      process_id: call.params['process_id'],
      workspaceId,
      ...toExecuteInput(call, await call.readBody(operation)),
    }))
    throwStoredProblem(call.reply, result)
    return result
  } catch (error) {
    if (error instanceof Problem && error.problem === 'not-found') await call.readProcess()
    throw error
  }
}

export const executeProcess: Handle = async (call, reply) => {
  const result = await runProcess(call)
  const { job } = getResultJsonValue(result) as { readonly job: Job }
  const { isAsync, wait_ms } = parsePreferences(getRequestHeader(call.request, 'prefer') ?? '')
  const waitFor_ms = call.dialect === 'v2' ? 0 : Math.min(wait_ms ?? (isAsync ? 0 : max_sync_ms), max_sync_ms)
  const ended = waitFor_ms === 0 ? null : await waitForEnd(call, job, waitFor_ms)
  if (ended?.failure) throw new Problem('unsupported-raster', ended.failure.text)
  const results = ended?.status === 'completed' ? await readResultsOfPaidJob(call, ended) : null
  if (results) {
    reply.header('link', `<${call.urls.job(job.id)}>; rel=monitor`)
    return sendJobResults(reply, results)
  }
  reply.code(201).header('location', call.urls.job(job.id))
  if (isAsync) reply.header('preference-applied', 'respond-async')
  return send(reply, toOgcStatusInfo(ended ?? job, call.dialect, call.urls))
}

/** The job was paid: its caller needs its location if its items cannot be read, for example without the scope for it. */
async function readResultsOfPaidJob(call: ProcessesCall, job: Job) {
  try {
    return await readJobResults(call, job)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

const terminal = new Set(['completed', 'failed', 'cancelled'])

/** The job once it has ended; null if it takes too long for a response. */
function waitForEnd(call: ProcessesCall, job: Job, wait_ms: number): Promise<Job | null> {
  const signal = AbortSignal.any([createDisconnectSignal(call.request, call.reply), AbortSignal.timeout(wait_ms)])
  const readJob = async () => (await call.read<{ job: Job }>('processing.job.get', () => ({ job_id: job.id }))).job
  return pollJobUntilEnd(job, readJob, signal)
}

/**
 * Reads a job until it has ended. Null if the signal is aborted, or reading it is refused, for example by a rate limit: the job
 * was created and paid, so that its caller needs its location and no error.
 */
export async function pollJobUntilEnd(job: Job, readJob: () => Promise<Job>, signal: AbortSignal): Promise<Job | null> {
  let current = job
  for (let look = 0; !terminal.has(current.status); look++) {
    const pause_ms = poll_pauses_ms[Math.min(look, poll_pauses_ms.length - 1)]
    await pause(pause_ms, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return null
    try {
      current = await readJob()
    } catch (error) {
      if (error instanceof Problem) return null
      throw error
    }
  }
  return current
}

interface Validation {
  readonly valid: boolean
  readonly errors: readonly { readonly path: string; readonly message: string }[]
}

/** Input of an operation about a process and its inputs. */
const readProcessInputs =
  (call: ProcessesCall): ReadCallBody =>
  async (operation) => ({
    process_id: call.params['process_id'],
    inputs: readProcessInputValues(((await call.readBody(operation)) as { readonly inputs?: unknown }).inputs),
  })

export const validateInputs: Handle = async (call, reply) => {
  const result = await call.run('processing.catalog.validate', readProcessInputs(call))
  const { valid, errors } = getResultJsonValue(result) as Validation
  if (valid) return send(reply, { valid })
  if (call.dialect === 'ogc')
    throw validationProblem(
      errors.map(({ path, message }) => ({ path: ['inputs', path].filter(Boolean).join('.'), message })),
    )
  const named = errors.map(({ path, message }) => ({ name: path || 'inputs', message }))
  return send(reply.code(422), { title: 'Validation failed', status: 422, errors: named })
}

export const estimateCost: Handle = async (call, reply) => {
  const result = await call.run('processing.catalog.estimate', readProcessInputs(call))
  const { credits, size, unit } = getResultJsonValue(result) as { credits: number; size: number; unit: string }
  return send(reply, { pricingStrategy: 'size', totalCredits: credits, totalSize: size, unit })
}
