import { limits } from '@swath/contract/limits.ts'
import { getFieldErrors, validationProblem, type Problem } from '../../../engine/problem.ts'
import { restorePlus } from '../../restore-plus.ts'
import { listOgcStatusWords, parseOgcJobStates, type JobListParameters } from './jobs.ts'
import { parsePageParameters } from './page-parameters.ts'
import type { ProcessesDialect } from './urls.ts'

type Query = Readonly<Record<string, unknown>>

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const invalid = (path: string, message: string): Problem => validationProblem([{ path, message }], 'query')

/** Sort fields of clients, with those of the operation. */
const jobSortFields: Readonly<Record<string, string>> = {
  processID: 'processId',
  'creditConsumption.credits': 'credits',
}

function toJobSort(sort: string | null): { readonly sort?: string } {
  if (sort === null) return {}
  const [field = '', direction = 'asc'] = sort.split(',')
  return { sort: `${jobSortFields[field] ?? field},${direction}` }
}

/** The values of a parameter that is repeated, or a list with commas; null if there is none. */
function readList(query: Query, name: string): string[] | null {
  const values = [query[name] ?? []]
    .flat()
    .flatMap((value) => String(value).split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')
  return values.length === 0 ? null : values
}

/** One of several durations in seconds: a job with the duration of any of them is meant. */
function readDuration(query: Query, name: string, choose: (...values: number[]) => number): number | null {
  const values = readList(query, name)
  if (values === null) return null
  if (!values.every((value) => /^\d{1,9}$/.test(value))) throw invalid(name, 'must be an integer of seconds')
  return choose(...values.map(Number))
}

function readStatuses(query: Query): string | null {
  const statuses = readList(query, 'status')
  const words = listOgcStatusWords()
  const unknown = statuses?.find((status) => !words.includes(status))
  if (unknown !== undefined) throw invalid('status', `must be of ${words.join(', ')}`)
  return statuses?.flatMap((status) => parseOgcJobStates(status, 'ogc')).join(',') ?? null
}

/** Every job is one of a process. */
function requireProcessType(query: Query): void {
  if (readList(query, 'type')?.some((type) => type !== 'process')) throw invalid('type', 'must be "process"')
}

/** The input of `processing.jobs.list` for a request of OGC API - Processes. Throws `validation` that names the parameter. */
function toOgcJobListInput(query: Query): object {
  requireProcessType(query)
  const datetime = text(query['datetime'])
  return {
    workspaceId: text(query['workspaceId']),
    processId: (readList(query, 'processID') ?? readList(query, 'processId'))?.join(',') ?? null,
    status: readStatuses(query),
    ids: readList(query, 'ids')?.join(',') ?? null,
    exclude_dismissed: true,
    created: datetime === null ? null : restorePlus(datetime),
    min_duration_seconds: readDuration(query, 'minDuration', Math.min),
    max_duration_seconds: readDuration(query, 'maxDuration', Math.max),
    ...toJobSort(text(query['sort'])),
    ...parsePageParameters(query, limits.jobs_limit),
  }
}

/** Text that is no number is refused by the operation. */
const toNumber = (value: unknown): unknown => (value === undefined ? null : Number(value))

function toV2JobListInput(query: Query): object {
  const statuses = text(query['status'])
    ?.split(',')
    .flatMap((status) => parseOgcJobStates(status.trim(), 'v2'))
  return {
    workspaceId: text(query['workspaceId']),
    processId: text(query['processId'] ?? query['processID']),
    status: statuses?.join(',') ?? null,
    ids: text(query['ids']),
    min_duration_seconds: toNumber(query['minDuration']),
    max_duration_seconds: toNumber(query['maxDuration']),
    ...toJobSort(text(query['sort'])),
    ...(query['limit'] === undefined ? {} : { limit: Number(query['limit']) }),
    ...(query['page'] === undefined ? {} : { page: Number(query['page']) }),
  }
}

export const toJobListInput = (query: Query, dialect: ProcessesDialect): object =>
  dialect === 'ogc' ? toOgcJobListInput(query) : toV2JobListInput(query)

/** The parameters of a list that its links repeat. */
const repeatedParameters = [
  'workspaceId',
  'processId',
  'processID',
  'type',
  'status',
  'ids',
  'datetime',
  'minDuration',
  'maxDuration',
  'sort',
] as const

/** The parameters of the request that select jobs. */
export const listJobFilterParameters = (query: Query): JobListParameters =>
  repeatedParameters.flatMap((name) => [query[name] ?? []].flat().map((value) => [name, String(value)] as const))

/** The parameters of clients, by the fields of the operation whose errors name them. */
const parameterOfField: Readonly<Record<string, string>> = {
  processId: 'processID',
  created: 'datetime',
  min_duration_seconds: 'minDuration',
  max_duration_seconds: 'maxDuration',
}

/** The same error with the names of parameters. */
export function withParameterNames(error: unknown): unknown {
  const errors = getFieldErrors(error)
  if (!errors) return error
  return validationProblem(
    errors.map(({ path, message }) => ({ path: parameterOfField[path] ?? path, message })),
    'query',
  )
}
