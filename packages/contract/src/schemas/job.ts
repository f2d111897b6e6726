import Type, { type Static } from 'typebox'
import { jobLifecycle, jobSettlementLifecycle } from '../lifecycles.ts'
import { Count, WithDescription, Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'

export const JobStatus = Type.Enum([...jobLifecycle.states])

/** An execution of a process; its hold is settled when it ends. */
export const Job = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  project_id: Uuid,
  job_type_id: Uuid,
  process_id: Type.String(),
  status: JobStatus,
  settlement: WithDescription('State of the hold of the job.', Type.Enum([...jobSettlementLifecycle.states])),
  input_params: AnyObject,
  target_collection_id: Nullable(Uuid),
  credits_held: Count,
  credits_captured: Count,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  attempt: Type.Integer({ minimum: 0 }),
  failure: Nullable(Type.Object({ code: Type.String(), text: Type.String() })),
  item_ids: Type.Array(Uuid),
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
export type JobDispatch = Static<typeof JobDispatch>
export type Process = Static<typeof Process>
