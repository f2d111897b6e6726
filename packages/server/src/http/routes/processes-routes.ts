import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Job, Process } from '@swath/contract/schemas/job.ts'
import { Problem } from '../../engine/problem.ts'
import { isUuid } from '../../platform/ids.ts'
import { createDeprecationHeaders } from '../deprecation-headers.ts'
import {
  dispatchHttpCall,
  getRequestHeader,
  readJsonBody,
  sendCallResult,
  type HttpRouteContext,
  type ReadCallBody,
} from '../http-call.ts'
import {
  toProcessesConformance,
  toProcessesLandingPage,
  toProcessDescription,
  toProcessList,
} from '../representations/ogc-processes/documents.ts'
import { withNotFoundExceptionType, createProcessesException } from '../representations/ogc-processes/exceptions.ts'
import {
  toOgcJobList,
  parseOgcJobStates,
  toOgcJobResults,
  toOgcStatusInfo,
  type OgcJobPage,
} from '../representations/ogc-processes/jobs.ts'
import { readProcessInputValues } from '../representations/ogc-processes/inputs.ts'
import { buildProcessesUrls, type ProcessesDialect, type ProcessesUrls } from '../representations/ogc-processes/urls.ts'
import { getResultJsonValue } from '../representations/representation.ts'
import { createDisconnectSignal, resolveBaseUrl } from '../server.ts'

/** The time that a synchronous execution waits; a longer job is answered as an asynchronous one. */
const max_sync_ms = 30_000
/** The pauses between looks at a job; the last one repeats. Each look counts against the rate limit of the organization. */
const poll_pauses_ms = [250, 500, 1000, 2000] as const

type Fields = Readonly<Record<string, unknown>>

/** One request to the interface. */
class ProcessesCall {
  readonly urls: ProcessesUrls
  readonly query: Fields
  readonly params: Readonly<Record<string, string>>
  readonly dialect: ProcessesDialect
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  private readonly http: HttpRouteContext

  constructor(http: HttpRouteContext, dialect: ProcessesDialect, request: FastifyRequest, reply: FastifyReply) {
    this.http = http
    this.dialect = dialect
    this.request = request
    this.reply = reply
    this.urls = buildProcessesUrls(resolveBaseUrl(request, http.baseUrl), dialect)
    this.query = request.query as Fields
    this.params = request.params as Readonly<Record<string, string>>
  }

  /** Runs an operation through the pipeline. */
  run(operation: string, readBody: ReadCallBody) {
    return dispatchHttpCall(this.http, { request: this.request, reply: this.reply, operation, readBody })
  }

  /** The output of an operation. */
  async read<T>(operation: string, readInput: () => object | Promise<object>): Promise<T> {
    return getResultJsonValue(await this.run(operation, async () => readInput())) as T
  }

  /** The members of the body; an empty body has none. */
  readBody: ReadCallBody = async (operation) => (await readJsonBody(this.http, operation, this.request)) ?? {}

  get job_id(): string {
    const id = this.params['job_id'] ?? ''
    if (!isUuid(id)) throw new Problem('not-found', `There is no job with the id "${id}".`)
    return id
  }

  /** The job of the path, as an operation on jobs returns it. */
  async readJob(operation = 'processing.job.get'): Promise<Job> {
    const read = () => this.read<{ job: Job }>(operation, () => ({ job_id: this.job_id }))
    return (await withNotFoundExceptionType(this.dialect, 'no-such-job', read)).job
  }

  /** The process of the path. */
  async readProcess(): Promise<Process> {
    const input = { process_id: this.params['process_id'] }
    const read = () => this.read<{ process: Process }>('processing.catalog.get', () => input)
    return (await withNotFoundExceptionType(this.dialect, 'no-such-process', read)).process
  }
}

type Handle = (call: ProcessesCall, reply: FastifyReply) => Promise<FastifyReply>

const send = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body))

const listProcesses: Handle = async (call, reply) => {
  const { processes } = await call.read<{ processes: Process[] }>('processing.catalog.list', () => ({}))
  return send(reply, toProcessList(processes, call.urls))
}

const describeProcess: Handle = async (call, reply) =>
  send(reply, toProcessDescription(await call.readProcess(), call.urls))

/** The project that the request names, or the caller, for whom the operation takes their oldest project. */
async function findWorkspace(call: ProcessesCall): Promise<string> {
  const named = call.query['workspaceId']
  if (typeof named === 'string') return named
  const { user } = await call.read<{ user: { id: string } | null }>('users.me', () => ({}))
  if (user) return user.id
  throw new Problem('not-found', 'Name the project as `workspaceId`: this token belongs to no user.')
}

/** Runs the process. A 404 is about the process, or about an item or the project. */
async function runProcess(call: ProcessesCall) {
  const workspaceId = await findWorkspace(call)
  try {
    return await call.run('processing.execute', async (operation) => ({
      process_id: call.params['process_id'],
      workspaceId,
      inputs: readProcessInputValues(await call.readBody(operation)),
    }))
  } catch (error) {
    if (error instanceof Problem && error.problem === 'not-found') await call.readProcess()
    throw error
  }
}

const execute: Handle = async (call, reply) => {
  const result = await runProcess(call)
  // The stored error of an earlier attempt with the same idempotency key.
  if (result.kind === 'json' && result.status >= 400) return sendCallResult(reply, result)
  const { job } = getResultJsonValue(result) as { readonly job: Job }
  const prefer = getRequestHeader(call.request, 'prefer') ?? ''
  const isAsync = call.dialect === 'v2' || prefer.includes('respond-async')
  const ended = isAsync ? null : await waitForEnd(call, job)
  if (ended?.status === 'completed') return send(reply, toOgcJobResults(ended, call.urls))
  if (ended?.failure) throw new Problem('unsupported-raster', ended.failure.text)
  reply.code(201).header('location', call.urls.job(job.id))
  if (prefer.includes('respond-async')) reply.header('preference-applied', 'respond-async')
  return send(reply, toOgcStatusInfo(job, call.dialect, call.urls))
}

const terminal = new Set(['completed', 'failed', 'cancelled'])

/** The job once it has ended; null if it takes too long for a response. */
function waitForEnd(call: ProcessesCall, job: Job): Promise<Job | null> {
  const signal = AbortSignal.any([createDisconnectSignal(call.request, call.reply), AbortSignal.timeout(max_sync_ms)])
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
    inputs: readProcessInputValues(await call.readBody(operation)),
  })

const validateInputs: Handle = async (call, reply) => {
  const result = await call.run('processing.catalog.validate', readProcessInputs(call))
  const { valid, errors } = getResultJsonValue(result) as Validation
  if (valid) return send(reply, { valid })
  const named = errors.map(({ path, message }) => ({ name: path || 'inputs', message }))
  return send(reply.code(422), { title: 'Validation failed', status: 422, errors: named })
}

const estimateCost: Handle = async (call, reply) => {
  const result = await call.run('processing.catalog.estimate', readProcessInputs(call))
  const { credits, size, unit } = getResultJsonValue(result) as { credits: number; size: number; unit: string }
  return send(reply, { pricingStrategy: 'size', totalCredits: credits, totalSize: size, unit })
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const listJobs: Handle = async (call, reply) => {
  const { query } = call
  const statuses = text(query['status'])
    ?.split(',')
    .flatMap((status) => parseOgcJobStates(status.trim(), call.dialect))
  const page = await call.read<OgcJobPage>('processing.jobs.list', () => ({
    workspaceId: text(query['workspaceId']),
    processId: text(query['processId'] ?? query['processID']),
    status: statuses?.join(',') ?? null,
    ids: text(query['ids']),
    ...(query['limit'] === undefined ? {} : { limit: Number(query['limit']) }),
    ...(query['page'] === undefined ? {} : { page: Number(query['page']) }),
  }))
  const filter = ['workspaceId', 'processId', 'processID', 'status', 'ids'].flatMap((name) => {
    const value = text(query[name])
    return value === null ? [] : [[name, value] as const]
  })
  return send(reply, toOgcJobList(page, filter, call.dialect, call.urls))
}

const getJob: Handle = async (call, reply) =>
  send(reply, toOgcStatusInfo(await call.readJob(), call.dialect, call.urls))

const getResults: Handle = async (call, reply) => {
  const job = await call.readJob()
  if (job.status === 'completed') return send(reply, toOgcJobResults(job, call.urls))
  if (job.failure) throw new Problem('unsupported-raster', job.failure.text)
  const detail = `The job is ${job.status} and has no results.`
  throw terminal.has(job.status)
    ? new Problem('not-found', detail)
    : createProcessesException(call.dialect, 'result-not-ready', detail)
}

const dismissJob: Handle = async (call, reply) =>
  send(reply, toOgcStatusInfo(await call.readJob('processing.job.cancel'), call.dialect, call.urls))

interface ProcessesRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly handle: Handle
}

/** OGC API - Processes, part 1 (OGC 18-062r2): the processing operations in the words of its clients. */
const processesRoutes: readonly ProcessesRoute[] = [
  { method: 'GET', path: '', handle: async ({ urls }, reply) => send(reply, toProcessesLandingPage(urls)) },
  { method: 'GET', path: '/conformance', handle: async (_, reply) => send(reply, toProcessesConformance()) },
  { method: 'GET', path: '/processes', handle: listProcesses },
  { method: 'GET', path: '/processes/:process_id', handle: describeProcess },
  { method: 'POST', path: '/processes/:process_id/execution', handle: execute },
  { method: 'POST', path: '/processes/:process_id/validation', handle: validateInputs },
  { method: 'POST', path: '/processes/:process_id/cost', handle: estimateCost },
  { method: 'GET', path: '/jobs', handle: listJobs },
  { method: 'GET', path: '/jobs/:job_id', handle: getJob },
  { method: 'GET', path: '/jobs/:job_id/results', handle: getResults },
  { method: 'DELETE', path: '/jobs/:job_id', handle: dismissJob },
]

/** Registers the interface at both paths; that of the older dialect is deprecated. The landing page and the conformance need no token. */
export function registerProcessesRoutes(app: FastifyInstance, http: HttpRouteContext): void {
  for (const dialect of ['ogc', 'v2'] as const)
    for (const { method, path, handle } of processesRoutes) {
      const successor = `${buildProcessesUrls('', 'ogc').path}${path.replaceAll(/:(\w+)/g, '{$1}')}`
      const deprecationHeadersFor = createDeprecationHeaders(dialect === 'v2' ? { successor } : {})
      app.route({
        method,
        url: `${buildProcessesUrls('', dialect).path}${path}`,
        handler: (request, reply) => {
          const call = new ProcessesCall(http, dialect, request, reply)
          // Set before anything can fail: error responses have them, too.
          if (deprecationHeadersFor) reply.headers(deprecationHeadersFor(call.params, call.urls.base))
          return handle(call, reply)
        },
      })
    }
}
