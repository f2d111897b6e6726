import Type from 'typebox'
import { operation } from '../operation.ts'
import { jobStartProblems } from '../problems.ts'
import { WithDefault, WithDescription, StrictObject, OptionalNullable, AnyObject, Uuid } from '../schemas/primitives.ts'
import { JobDispatch, Job, reuseField, WorkerAssignment } from '../schemas/job.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'

const startFields = { ...reuseField, ...spendFields }

const NewJobInput = StrictObject({
  project_id: Uuid,
  job_type_id: WithDescription('A job type (`processing.job_types.list`).', Uuid),
  input_params: WithDescription('Inputs of the job type.', Type.Optional(AnyObject)),
  target_collection_id: OptionalNullable(Uuid),
  ...startFields,
})

const Version = Type.String({ minLength: 1, maxLength: 50, description: 'The version of the worker.' })

/** A file that a worker produced, or an item with several files. */
const JobOutput = StrictObject({
  name: Type.String({ minLength: 1, maxLength: 500 }),
  asset_key: OptionalNullable(Type.String({ maxLength: 200 })),
  object_path: Type.String({ minLength: 1, maxLength: 1000 }),
  media_type: OptionalNullable(Type.String({ maxLength: 200 })),
  sha256: OptionalNullable(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  source_item_id: OptionalNullable(Uuid),
  properties: OptionalNullable(AnyObject),
})

export const processingCreateOperation = operation({
  id: 'processing.create',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Create a job and hold its price.',
  body_limit_bytes: null,
  input: NewJobInput,
  output: WithDryRun(Type.Object({ job: Job })),
  status: 201,
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
  implemented: true,
})

export const processingCreateAndDispatchOperation = operation({
  id: 'processing.create_and_dispatch',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Create a job, hold its price and dispatch it to a worker, atomically.',
  body_limit_bytes: null,
  input: NewJobInput,
  output: WithDryRun(Type.Object({ job: Job, dispatch: JobDispatch })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
  implemented: true,
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
  implemented: true,
})

export const processingExecuteOperation = operation({
  id: 'processing.execute',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Execute a process: create a job, hold its price and dispatch it to a worker.',
  body_limit_bytes: null,
  input: StrictObject({
    process_id: Type.String({ minLength: 1, maxLength: 200 }),
    workspaceId: WithDescription('The project.', Uuid),
    inputs: WithDescription('Inputs of the process (`processing.catalog.get`).', WithDefault(AnyObject, {})),
    ...startFields,
  }),
  output: WithDryRun(Type.Object({ job: Job, dispatch: JobDispatch })),
  problems: jobStartProblems,
  emits: ['job.created', 'job.completed', 'job.captured'],
  idempotent: true,
  implemented: true,
})

export const processingJobRegisterOperation = operation({
  id: 'processing.job.register',
  scope: 'processing:process',
  effect: 'spend',
  summary: 'Register the outputs of a job as items and settle its hold; called by the worker of the job.',
  body_limit_bytes: null,
  input: StrictObject({
    job_id: Uuid,
    outputs: OptionalNullable(
      Type.Array(JobOutput, { maxItems: 10_000, description: 'The files that the job produced.' }),
    ),
  }),
  output: Type.Object({ job: Job, item_ids: Type.Array(Uuid) }),
  problems: ['not-found', 'forbidden', 'invalid-state', 'unsupported-raster', 'budget-exceeded', 'quota-storage'],
  emits: ['item.created', 'job.started', 'job.completed', 'job.captured'],
  idempotent: true,
  implemented: true,
})

export const processingJobDeleteOperation = operation({
  id: 'processing.job.delete',
  scope: 'clip:destroy',
  effect: 'destructive',
  summary: 'Delete a job that has ended; its items are kept.',
  input: StrictObject({ job_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean(), job_id: Uuid }),
  problems: ['not-found', 'invalid-state'],
  implemented: true,
})

export const processingJobCancelOperation = operation({
  id: 'processing.job.cancel',
  scope: 'processing:process',
  effect: 'destructive',
  summary: 'Cancel a job that has not ended, and release its hold.',
  input: StrictObject({ job_id: Uuid }),
  output: Type.Object({ job: Job }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['job.released'],
  extension: true,
  implemented: true,
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
  implemented: true,
})

export const processingJobDelegateOperation = operation({
  id: 'processing.job.delegate',
  scope: 'processing:process',
  effect: 'compute',
  summary: 'Hand a pending job to a program outside of the server, with a token that can only register its outputs.',
  input: StrictObject({
    job_id: Uuid,
    lease_seconds: WithDefault(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        description: 'The time for the work; afterwards the server executes the job itself.',
      }),
      3600,
    ),
  }),
  output: Type.Object({ job: Job, assignment: WorkerAssignment }),
  status: 201,
  problems: [
    'not-found',
    'not-a-member',
    'invalid-state',
    'gone-retention',
    'past-due',
    'download-cap',
    'bandwidth-breaker',
    'quota-storage',
  ],
  emits: ['job.started'],
  extension: true,
  implemented: true,
})
