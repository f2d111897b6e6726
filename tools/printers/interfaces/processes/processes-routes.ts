import { processOutputMediaType } from '../../../../packages/server/src/http/representations/ogc-processes/results.ts'
import type { JsonSchema } from '../../json-schema.ts'
import { anyText, type DescribedRoute, type RouteParameter } from '../described-route.ts'
import { jsonOf, route, signedIn, spending, text, whole, type Method, type RouteOptions } from '../describe-route.ts'
import {
  conformance,
  cost,
  executeBody,
  featureCollection,
  inputsBody,
  jobList,
  landingPage,
  olderJob,
  olderJobList,
  processDescription,
  processList,
  resultsDocument,
  statusInfo,
  statusWord,
  validInputs,
} from './processes-schemas.ts'

const listParameter = (name: string, description: string, items: JsonSchema): RouteParameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'array', items },
  explode: false,
})

const projectParameter = (description: string): RouteParameter => ({
  ...text('workspaceId', description),
  schema: { type: 'string', format: 'uuid' },
})

const project = projectParameter('The project; by default the oldest of the caller.')
const onlyProject = projectParameter('Only jobs of this project.')
const sort: RouteParameter = {
  ...text('sort', 'Field and direction.'),
  schema: {
    type: 'string',
    pattern: '^(created|updated|started|finished|status|processID|credits),(asc|desc)$',
  },
}
const page = whole('page', 'The page, counted from zero.')
const seconds: JsonSchema = { type: 'integer', minimum: 0, maximum: 999_999_999 }

const jobParameters: readonly RouteParameter[] = [
  onlyProject,
  listParameter('type', 'Every job is one of a process.', { type: 'string', enum: ['process'] }),
  listParameter('processID', 'Only jobs of these processes.', anyText),
  listParameter('status', 'Only jobs with one of these states.', statusWord),
  text('datetime', 'Only jobs that were created then: a time (RFC 3339), or an interval whose open end is `..`.'),
  listParameter('minDuration', 'Only jobs that have run so many seconds or more.', seconds),
  listParameter('maxDuration', 'Only jobs that have run so many seconds or less.', seconds),
  listParameter('ids', 'Only these jobs.', anyText),
  sort,
  whole('limit', 'So many at most; more than 1000 is 1000. By default 20.', 1),
  page,
]

const preference: RouteParameter = {
  name: 'Prefer',
  in: 'header',
  description: '`respond-async` answers with the job at once; `wait` names the seconds to wait for results (RFC 7240).',
  schema: anyText,
}

const json = (schema: JsonSchema) => ({ mediaType: 'application/json', schema, isRequired: true })

const results = {
  '200': { 'application/json': resultsDocument, [processOutputMediaType]: featureCollection },
  '204': {},
}

const asking = [...spending, 502]

/** OGC API - Processes, part 1 (OGC 18-062r2). */
const standardRoutes = ((): DescribedRoute[] => {
  const at = (method: Method, path: string, summary: string, options: RouteOptions) =>
    route(method, `/processing${path}`, summary, { refusedAs: 'Exception', ...options })
  const inputs = { body: json(inputsBody), refusals: asking }
  return [
    at('GET', '', 'The landing page of the interface.', { isPublic: true, answers: jsonOf(landingPage) }),
    at('GET', '/conformance', 'The conformance classes of the interface.', {
      isPublic: true,
      answers: jsonOf(conformance),
    }),
    at('GET', '/processes', 'List the processes.', {
      operation: 'processing.catalog.list',
      query: [whole('limit', 'So many at most; more than 1000 is 1000. By default 100.', 1), page],
      answers: jsonOf(processList),
      refusals: [400, ...signedIn],
    }),
    at('GET', '/processes/{process_id}', 'Describe a process.', {
      operation: 'processing.catalog.get',
      answers: jsonOf(processDescription),
    }),
    at('POST', '/processes/{process_id}/execution', 'Run a process.', {
      operation: 'processing.execute',
      query: [project, preference],
      body: json(executeBody),
      answers: { ...results, '201': { 'application/json': statusInfo } },
      refusals: spending,
    }),
    at('POST', '/processes/{process_id}/validation', 'Check the inputs of a process.', {
      ...inputs,
      operation: 'processing.catalog.validate',
      answers: jsonOf(validInputs),
    }),
    at('POST', '/processes/{process_id}/cost', 'The price of a run.', {
      ...inputs,
      operation: 'processing.catalog.estimate',
      answers: jsonOf(cost),
    }),
    at('GET', '/jobs', 'List jobs, newest first.', {
      operation: 'processing.jobs.list',
      query: jobParameters,
      answers: jsonOf(jobList),
      refusals: [400, ...signedIn],
    }),
    at('GET', '/jobs/{job_id}', 'The state of a job.', {
      operation: 'processing.job.get',
      answers: jsonOf(statusInfo),
    }),
    at('GET', '/jobs/{job_id}/results', 'The results of a job, in the form that its execution asked for.', {
      operation: 'processing.job.get',
      answers: results,
      refusals: [...signedIn, 410, 422],
    }),
    at('DELETE', '/jobs/{job_id}', 'Cancel a job, or remove one that has ended.', {
      operation: 'processing.job.cancel',
      answers: jsonOf(statusInfo),
      refusals: [...signedIn, 409],
    }),
  ]
})()

/** The same in the words of older clients, deprecated. */
const olderRoutes = ((): DescribedRoute[] => {
  const at = (method: Method, path: string, summary: string, options: RouteOptions) =>
    route(method, `/v2/processing${path}`, summary, { isDeprecated: true, ...options })
  const inputs = { body: json(inputsBody), refusals: asking }
  return [
    at('GET', '', 'The landing page of the interface.', { isPublic: true, answers: jsonOf(landingPage) }),
    at('GET', '/conformance', 'The conformance classes of the interface.', {
      isPublic: true,
      answers: jsonOf(conformance),
    }),
    at('GET', '/processes', 'List the processes.', {
      operation: 'processing.catalog.list',
      query: [whole('limit', 'So many at most.', 1), page],
      answers: jsonOf(processList),
      refusals: [...signedIn, 422],
    }),
    at('GET', '/processes/{process_id}', 'Describe a process.', {
      operation: 'processing.catalog.get',
      answers: jsonOf(processDescription),
    }),
    at('POST', '/processes/{process_id}/execution', 'Run a process.', {
      operation: 'processing.execute',
      query: [project, text('budgetId', 'A budget: the project, or the caller.')],
      body: json(inputsBody),
      answers: { '201': { 'application/json': olderJob } },
      refusals: spending,
    }),
    at('POST', '/processes/{process_id}/validation', 'Check the inputs of a process.', {
      ...inputs,
      operation: 'processing.catalog.validate',
      refusedAs: 'InvalidInputs',
      answers: jsonOf(validInputs),
    }),
    at('POST', '/processes/{process_id}/cost', 'The price of a run.', {
      ...inputs,
      operation: 'processing.catalog.estimate',
      answers: jsonOf(cost),
    }),
    at('GET', '/jobs', 'List jobs, newest first.', {
      operation: 'processing.jobs.list',
      query: [
        onlyProject,
        text('processId', 'Processes, separated by commas.'),
        text('status', 'States, separated by commas.'),
        text('ids', 'Jobs, separated by commas.'),
        text('minDuration', 'Only jobs that have run so many seconds or more.'),
        text('maxDuration', 'Only jobs that have run so many seconds or less.'),
        sort,
        whole('limit', 'So many at most.', 1),
        page,
      ],
      answers: jsonOf(olderJobList),
      refusals: [400, ...signedIn, 422],
    }),
    at('GET', '/jobs/{job_id}', 'The state of a job.', { operation: 'processing.job.get', answers: jsonOf(olderJob) }),
    at('GET', '/jobs/{job_id}/results', 'The results of a job.', {
      operation: 'processing.job.get',
      answers: jsonOf(resultsDocument),
      refusals: [...signedIn, 410, 422],
    }),
    at('DELETE', '/jobs/{job_id}', 'Cancel a job.', {
      operation: 'processing.job.cancel',
      answers: jsonOf(olderJob),
      refusals: [...signedIn, 409],
    }),
  ]
})()

export const processesRoutes: readonly DescribedRoute[] = [...standardRoutes, ...olderRoutes]
