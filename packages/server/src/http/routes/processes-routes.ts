import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Process } from '@swath/contract/schemas/job.ts'
import { createDeprecationHeaders } from '../deprecation-headers.ts'
import type { HttpRouteContext } from '../http-call.ts'
import { toInvalidParameter } from '../invalid-parameter.ts'
import {
  toProcessDescription,
  toProcessesConformance,
  toProcessesLandingPage,
  toProcessList,
} from '../representations/ogc-processes/documents.ts'
import { parsePageParameters } from '../representations/ogc-processes/page-parameters.ts'
import { buildProcessesUrls } from '../representations/ogc-processes/urls.ts'
import { estimateCost, executeProcess, validateInputs } from './processes/executions.ts'
import { dismissJob, getJob, getResults, listJobs } from './processes/jobs.ts'
import { ProcessesCall, send, type Handle } from './processes/processes-call.ts'

/** Processes are few: without a limit a client gets them all. */
const process_limit = { maximum: 1000, default: 100 }

const listProcesses: Handle = async (call, reply) => {
  const { processes } = await call.read<{ processes: Process[] }>('processing.catalog.list', () => ({}))
  const paging = call.dialect === 'ogc' ? parsePageParameters(call.query, process_limit) : null
  return send(reply, toProcessList(processes, paging, call.urls, call.dialect))
}

const describeProcess: Handle = async (call, reply) =>
  send(reply, toProcessDescription(await call.readProcess(), call.urls, call.dialect))

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
  { method: 'POST', path: '/processes/:process_id/execution', handle: executeProcess },
  { method: 'POST', path: '/processes/:process_id/validation', handle: validateInputs },
  { method: 'POST', path: '/processes/:process_id/cost', handle: estimateCost },
  { method: 'GET', path: '/jobs', handle: listJobs },
  { method: 'GET', path: '/jobs/:job_id', handle: getJob },
  { method: 'GET', path: '/jobs/:job_id/results', handle: getResults },
  { method: 'DELETE', path: '/jobs/:job_id', handle: dismissJob },
]

/** Answers a request; the standard has 400 for what an operation refuses as 422. */
async function answer(call: ProcessesCall, handle: Handle, reply: FastifyReply): Promise<FastifyReply> {
  try {
    return await handle(call, reply)
  } catch (error) {
    throw call.dialect === 'ogc' ? toInvalidParameter(error) : error
  }
}

/** Registers the interface at both paths; that of the older dialect is deprecated. The landing page and the conformance need no token. */
export function registerProcessesRoutes(app: FastifyInstance, http: HttpRouteContext): void {
  for (const dialect of ['ogc', 'v2'] as const)
    for (const { method, path, handle } of processesRoutes) {
      const successor = `${buildProcessesUrls('', 'ogc').path}${path.replaceAll(/:(\w+)/g, '{$1}')}`
      const deprecationHeadersFor = createDeprecationHeaders(dialect === 'v2' ? { successor } : {})
      app.route({
        method,
        url: `${buildProcessesUrls('', dialect).path}${path}`,
        config: { hasTextDetail: true, hasJsonProblems: dialect === 'ogc' },
        handler: (request, reply) => {
          const call = new ProcessesCall(http, dialect, request, reply)
          // Set before anything can fail: error responses have them, too.
          if (deprecationHeadersFor) reply.headers(deprecationHeadersFor(call.params, call.urls.base))
          return answer(call, handle, reply)
        },
      })
    }
}
