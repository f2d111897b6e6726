import Type, { type Static } from 'typebox'
import { jobLifecycle, jobPaymentLifecycle } from '../lifecycles.ts'
import {
  Count,
  WithDefault,
  WithDescription,
  Nullable,
  AnyObject,
  Timestamp,
  Uuid,
  StrictObject,
} from './primitives.ts'

/** How OGC API - Processes answers with the results of a job: raw or in a document, by value or by reference. */
export const JobResultForm = Type.Enum(['raw-value', 'raw-reference', 'document-value', 'document-reference'])

export const JobStatus = Type.Enum([...jobLifecycle.states])

/** An execution of a process; its hold is settled when it ends. */
export const Job = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  project_id: Uuid,
  job_type_id: Uuid,
  process_id: Type.String(),
  status: JobStatus,
  settlement: WithDescription('State of the hold of the job.', Type.Enum([...jobPaymentLifecycle.states])),
  input_params: AnyObject,
  target_collection_id: Nullable(Uuid),
  credits_held: Count,
  credits_captured: Count,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  attempt: Type.Integer({ minimum: 0 }),
  failure: Nullable(Type.Object({ code: Type.String(), text: Type.String() })),
  item_ids: Type.Array(Uuid),
  reused_job_id: WithDescription(
    'A job with equal inputs whose result this one shares, without a charge.',
    Nullable(Uuid),
  ),
  worker: WithDescription(
    'Who executes the job: the server, or a program outside of it.',
    Type.Enum(['server', 'external']),
  ),
  result_form: WithDescription(
    'How OGC API - Processes answers with the results; null for a job that was not created by it.',
    Nullable(JobResultForm),
  ),
  dismissed_at: WithDescription('Since then OGC API - Processes no longer shows the ended job.', Nullable(Timestamp)),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  updated_at: Timestamp,
})

/** The result of dispatching a job to a worker. */
export const JobDispatch = Type.Object({
  accepted: Type.Boolean(),
  job_id: Uuid,
  version: Type.String(),
  reason: Nullable(Type.String()),
})

/** A process that can be executed: its inputs, outputs and price. */
export const Process = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  category: Type.String(),
  inputs_schema: AnyObject,
  outputs: Type.Array(Type.Object({ name: Type.String(), media_type: Type.String() })),
  eulaId: WithDescription('The licence agreement (`eulas.get`); one without a document needs no acceptance.', Uuid),
  pricing: Type.Object({
    credits: Count,
    unit: Type.String({ description: 'Unit of the price, such as `km2` or `job`.' }),
  }),
})

/** A job type: jobs name the process by the id of this row. */
export const JobType = Type.Object({
  id: Uuid,
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  category: Type.String(),
  process_id: Type.String(),
  input_schema: AnyObject,
})

export const JobEstimate = Type.Object({
  process_id: Type.String(),
  credits: Count,
  aud: Type.Number({ minimum: 0 }),
  size: Type.Number({ minimum: 0 }),
  unit: Type.String(),
  memory_bytes: WithDescription('The memory that the job needs at most.', Count),
  reused_job_id: WithDescription(
    'A job with equal inputs: its result would be shared, and nothing charged.',
    Nullable(Uuid),
  ),
})

/** The field that permits a job to share the result of another one. */
export const reuseResultField = {
  reuse: WithDefault(
    Type.Boolean({
      description: 'Share the result of a completed job with equal inputs, without a charge; false computes it again.',
    }),
    true,
  ),
}

/** A line of the log of a job. */
export const JobLogEntry = Type.Object({
  at: Timestamp,
  level: Type.Enum(['info', 'warning', 'error']),
  message: Type.String(),
})

/** Credentials of an outside worker for one job: a token that can only register outputs, and URLs that need none. */
export const WorkerAssignment = Type.Object({
  token: WithDescription(
    'Authenticates `processing.job.register` for this job, and nothing else. Shown once.',
    Type.String(),
  ),
  expires_at: Timestamp,
  sources: Type.Array(
    Type.Object({
      item_id: Uuid,
      asset_key: Type.String(),
      url: WithDescription('Serves the file.', Type.String()),
      sha256: Nullable(Type.String()),
    }),
  ),
  outputs: Type.Array(
    Type.Object({
      name: Type.String(),
      asset_key: Type.String(),
      object_path: WithDescription('The path to register.', Type.String()),
      upload_url: WithDescription('Accepts the file by PUT.', Type.String()),
    }),
  ),
})

/** The tile URLs of the results of a job. */
export const JobTileInfo = Type.Object({
  job_id: Uuid,
  ready: Type.Boolean(),
  item_ids: Type.Array(Uuid),
  bounds: Nullable(Type.Array(Type.Number())),
  minzoom: Nullable(Type.Integer()),
  maxzoom: Nullable(Type.Integer()),
  tiles: Type.Array(Type.String()),
})

export type Job = Static<typeof Job>
export type JobResultForm = Static<typeof JobResultForm>
export type JobDispatch = Static<typeof JobDispatch>
export type Process = Static<typeof Process>

export const JobInput = StrictObject({ job_id: Uuid })
