import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { Job, WorkerAssignment, JobInput, JobTileInfo, JobLogEntry } from '../schemas/job.ts'
import { StrictObject, OptionalNullable, AnyObject, Uuid, WithDefault } from '../schemas/primitives.ts'

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
})

export const processingJobDeleteOperation = operation({
  id: 'processing.job.delete',
  scope: 'clip:destroy',
  effect: 'destructive',
  summary: 'Delete a job that has ended; its items are kept.',
  input: StrictObject({ job_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean(), job_id: Uuid }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
})

export const processingJobCancelOperation = operation({
  id: 'processing.job.cancel',
  scope: 'processing:process',
  effect: 'destructive',
  summary: 'Cancel a job that has not ended, and release its hold.',
  input: StrictObject({
    job_id: Uuid,
    dismiss: WithDefault(
      Type.Boolean({ description: 'Hide a job that has ended from OGC API - Processes; the record stays.' }),
      false,
    ),
  }),
  output: Type.Object({ job: Job }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['job.released'],
  extension: true,
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
})

export const processingJobGetOperation = operation({
  id: 'processing.job.get',
  scope: 'processing:read',
  effect: 'read',
  summary: 'Read a job of the organization.',
  input: JobInput,
  output: Type.Object({ job: Job }),
  problems: ['not-found', 'not-a-member'],
})

export const processingJobTileInfoOperation = operation({
  id: 'processing.job.tile_info',
  scope: 'clip:read',
  effect: 'read',
  summary: 'Read the tile URLs of the results of a job.',
  input: JobInput,
  output: Type.Object({ tile_info: JobTileInfo }),
  problems: ['not-found', 'not-a-member'],
})

export const processingJobLogOperation = operation({
  id: 'processing.job.log',
  scope: 'processing:read',
  effect: 'read',
  summary: 'List the log of a job, oldest entry first.',
  input: StrictObject({ job_id: Uuid, ...offsetPaging(limits.short_offset_limit) }),
  output: ListEnvelope('entries', JobLogEntry),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
  extension: true,
})
