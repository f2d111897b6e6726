import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, searchPaging, offsetPaging } from '../paging.ts'
import { jobStartProblems } from '../problems.ts'
import { reuseResultField, Job, JobDispatch, JobInput, JobResultForm, JobType } from '../schemas/job.ts'
import {
  WithDescription,
  StrictObject,
  OptionalNullable,
  AnyObject,
  Datetime,
  Uuid,
  WithDefault,
  Count,
} from '../schemas/primitives.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'

const startFields = { ...reuseResultField, ...spendFields }

const NewJobInput = StrictObject({
  project_id: Uuid,
  job_type_id: WithDescription('A job type (`processing.job_types.list`).', Uuid),
  input_params: WithDescription('Inputs of the job type.', Type.Optional(AnyObject)),
  target_collection_id: OptionalNullable(Uuid),
  ...startFields,
})

const Version = Type.String({ minLength: 1, maxLength: 50, description: 'The version of the worker.' })

export const processingCreateOperation = operation({
  id: 'processing.create',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Create a job and hold its price.',
  body_limit_bytes: limits.max_area_list_body_bytes,
  input: NewJobInput,
  output: WithDryRun(Type.Object({ job: Job })),
  status: 201,
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
})

export const processingCreateAndDispatchOperation = operation({
  id: 'processing.create_and_dispatch',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Create a job, hold its price and dispatch it to a worker, atomically.',
  body_limit_bytes: limits.max_area_list_body_bytes,
  input: NewJobInput,
  output: WithDryRun(Type.Object({ job: Job, dispatch: JobDispatch })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
})

export const processingDispatchOperation = operation({
  id: 'processing.dispatch',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Dispatch a pending job to a worker.',
  input: StrictObject({ job_id: Uuid, version: WithDefault(Version, '1.0') }),
  output: Type.Object({ job: Job, dispatch: JobDispatch }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  idempotent: true,
})

export const processingExecuteOperation = operation({
  id: 'processing.execute',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Execute a process: create a job, hold its price and dispatch it to a worker.',
  body_limit_bytes: limits.max_area_list_body_bytes,
  input: StrictObject({
    process_id: Type.String({ minLength: 1, maxLength: 200 }),
    workspaceId: WithDescription('The project.', Uuid),
    inputs: WithDescription('Inputs of the process (`processing.catalog.get`).', WithDefault(AnyObject, {})),
    collect_results: WithDefault(
      Type.Boolean({
        description: 'Put the results into a new collection, `target_collection_id` of the completed job.',
      }),
      false,
    ),
    result_form: WithDescription('How OGC API - Processes answers with the results.', OptionalNullable(JobResultForm)),
    budgetId: WithDescription(
      'A budget (`billing.budgets.list`): the project of the job, or the caller. Anything else is refused.',
      OptionalNullable(Uuid),
    ),
    ...startFields,
  }),
  output: WithDryRun(Type.Object({ job: Job, dispatch: JobDispatch })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
})

export const processingJobsRetryOperation = operation({
  id: 'processing.jobs.retry',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Execute a failed or cancelled job again: a new job with the same inputs, priced and held anew.',
  input: StrictObject({
    job_id: WithDescription('A job that failed or was cancelled.', Uuid),
    ...startFields,
  }),
  output: WithDryRun(Type.Object({ job: Job, dispatch: JobDispatch })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
  extension: true,
})

const optionalText = OptionalNullable(Type.String({ maxLength: 2000 }))

const optionalDuration = (description: string) =>
  OptionalNullable(Type.Number({ minimum: 0, maximum: 1e9, description }))

export const processingJobsListOperation = operation({
  id: 'processing.jobs.list',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the jobs of the organization that the caller can see.',
  input: StrictObject({
    workspaceId: WithDescription('Only jobs of this project.', OptionalNullable(Uuid)),
    processId: WithDescription('Process ids, comma-separated.', optionalText),
    status: WithDescription('States, comma-separated.', optionalText),
    ids: WithDescription('Job ids, comma-separated.', optionalText),
    created: WithDescription(
      'Only jobs that were created at this time or in this interval.',
      OptionalNullable(Datetime),
    ),
    exclude_dismissed: WithDefault(
      Type.Boolean({ description: 'Leave out jobs that OGC API - Processes no longer shows.' }),
      false,
    ),
    min_duration_seconds: optionalDuration('Only jobs that have run for at least this time.'),
    max_duration_seconds: optionalDuration('Only jobs that have run for at most this time.'),
    ...searchPaging(limits.jobs_limit),
    sort: WithDefault(
      Type.String({
        pattern: '^(created|updated|started|finished|status|processId|credits),(asc|desc)$',
        description: 'Field and direction.',
      }),
      'created,desc',
    ),
  }),
  output: Type.Object({ jobs: Type.Array(Job), limit: Count, page: Count, total: Count }),
  paging: 'search',
  problems: ['not-found', 'not-a-member'],
})

export const processingProjectJobGetOperation = operation({
  id: 'processing.project_job.get',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Read a job of a project that the caller is a member of.',
  input: JobInput,
  output: Type.Object({ job: Job }),
  problems: ['not-found', 'not-a-member'],
})

export const processingProjectJobsListOperation = operation({
  id: 'processing.project_jobs.list',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the jobs of a project, newest first.',
  input: StrictObject({
    project_id: Uuid,
    status: optionalText,
    job_type_name: WithDescription('The `name` of a job type.', optionalText),
    ...offsetPaging(limits.short_offset_limit),
  }),
  output: ListEnvelope('jobs', Job),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
})

export const processingJobTypesListOperation = operation({
  id: 'processing.job_types.list',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the job types.',
  input: StrictObject({ category: optionalText }),
  output: ListEnvelope('job_types', JobType),
})
