import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging, searchPaging } from '../paging.ts'
import { sourceProblems } from '../problems.ts'
import { Job, JobEstimate, JobLogEntry, JobTileInfo, JobType, Process } from '../schemas/job.ts'
import {
  Count,
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  EmptyInput,
  AnyObject,
  Uuid,
} from '../schemas/primitives.ts'

const ProcessId = Type.String({ minLength: 1, maxLength: 200 })
const optionalText = OptionalNullable(Type.String({ maxLength: 2000 }))
const ProcessInput = StrictObject({ process_id: ProcessId })
const ProcessInputs = StrictObject({
  process_id: ProcessId,
  inputs: WithDescription('Inputs of the process (`processing.catalog.get`).', WithDefault(AnyObject, {})),
})
const JobInput = StrictObject({ job_id: Uuid })

export const processingCatalogListOperation = operation({
  id: 'processing.catalog.list',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the processes that can be executed.',
  input: EmptyInput,
  output: List('processes', Process),
  implemented: true,
})

export const processingCatalogGetOperation = operation({
  id: 'processing.catalog.get',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Read a process with the schema of its inputs.',
  input: ProcessInput,
  output: Type.Object({ process: Process }),
  problems: ['not-found'],
  implemented: true,
})

export const processingCatalogValidateOperation = operation({
  id: 'processing.catalog.validate',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Validate inputs against the schema of a process.',
  body_limit_bytes: null,
  input: ProcessInputs,
  output: Type.Object({
    valid: Type.Boolean(),
    errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    inputs_schema: WithDescription('The schema that inputs must match.', AnyObject),
  }),
  problems: ['not-found', 'upstream'],
  implemented: true,
})

export const processingCatalogEstimateOperation = operation({
  id: 'processing.catalog.estimate',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Estimate the price of executing a process; nothing is stored.',
  body_limit_bytes: null,
  input: ProcessInputs,
  output: JobEstimate,
  problems: sourceProblems,
  implemented: true,
})

export const processingJobGetOperation = operation({
  id: 'processing.job.get',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Read a job of the organization.',
  input: JobInput,
  output: Type.Object({ job: Job }),
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

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
    ...searchPaging(limits.jobs_limit),
    sort: WithDefault(
      Type.String({
        pattern: '^(created|updated|started|finished|status|processId),(asc|desc)$',
        description: 'Field and direction.',
      }),
      'created,desc',
    ),
  }),
  output: Type.Object({ jobs: Type.Array(Job), limit: Count, page: Count, total: Count }),
  paging: 'search',
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

export const processingProjectJobGetOperation = operation({
  id: 'processing.project_job.get',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Read a job of a project that the caller is a member of.',
  input: JobInput,
  output: Type.Object({ job: Job }),
  problems: ['not-found', 'not-a-member'],
  implemented: true,
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
  output: List('jobs', Job),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

export const processingJobTypesListOperation = operation({
  id: 'processing.job_types.list',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the job types.',
  input: StrictObject({ category: optionalText }),
  output: List('job_types', JobType),
  implemented: true,
})

export const processingJobTileInfoOperation = operation({
  id: 'processing.job.tile_info',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read the tile URLs of the results of a job.',
  input: JobInput,
  output: Type.Object({ tile_info: JobTileInfo }),
  problems: ['not-found', 'not-a-member'],
  implemented: true,
})

export const processingJobLogOperation = operation({
  id: 'processing.job.log',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the log of a job, oldest entry first.',
  input: StrictObject({ job_id: Uuid, ...offsetPaging(limits.short_offset_limit) }),
  output: List('entries', JobLogEntry),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
  implemented: true,
})
