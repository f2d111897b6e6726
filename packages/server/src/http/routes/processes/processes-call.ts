import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Job, Process } from '@swath/contract/schemas/job.ts'
import { Problem } from '../../../engine/problem.ts'
import { isUuid } from '../../../platform/ids.ts'
import { dispatchHttpCall, readJsonBody, type HttpRouteContext, type ReadCallBody } from '../../http-call.ts'
import { createProcessesException, withNotFoundExceptionType } from '../../representations/ogc-processes/exceptions.ts'
import {
  buildProcessesUrls,
  type ProcessesDialect,
  type ProcessesUrls,
} from '../../representations/ogc-processes/urls.ts'
import { getResultJsonValue } from '../../representations/representation.ts'
import { resolveBaseUrl } from '../../server.ts'

type Fields = Readonly<Record<string, unknown>>

/** One request to the interface. */
export class ProcessesCall {
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
  async readJob(operation = 'processing.job.get', input: object = {}): Promise<Job> {
    const read = () => this.read<{ job: Job }>(operation, () => ({ job_id: this.job_id, ...input }))
    return (await withNotFoundExceptionType(this.dialect, 'no-such-job', read)).job
  }

  /** The job of the path, unless it was dismissed after its end. */
  async readShownJob(): Promise<Job> {
    const job = await this.readJob()
    if (this.dialect === 'v2' || job.dismissed_at === null) return job
    throw createProcessesException(this.dialect, 'no-such-job', `There is no job with the id "${job.id}".`)
  }

  /** The process of the path. */
  async readProcess(): Promise<Process> {
    const input = { process_id: this.params['process_id'] }
    const read = () => this.read<{ process: Process }>('processing.catalog.get', () => input)
    return (await withNotFoundExceptionType(this.dialect, 'no-such-process', read)).process
  }
}

export type Handle = (call: ProcessesCall, reply: FastifyReply) => Promise<FastifyReply>

export const send = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
