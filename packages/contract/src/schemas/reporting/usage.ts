import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid, WithDescription } from '../primitives.ts'

/** The usage of an organization in one month, with the quota of its plan. */
export const Usage = Type.Object({
  organization_id: Uuid,
  period: Type.String({ description: 'A month, `YYYY-MM`.' }),
  storage_bytes: WithDescription('Size of the stored files.', Count),
  storage_quota_bytes: WithDescription(
    'What files, metadata and reservations may have together; null for no limit.',
    Nullable(Count),
  ),
  metadata_bytes: WithDescription('Size of the metadata and geometries of items.', Count),
  reserved_bytes: WithDescription('What upload sessions have reserved.', Count),
  egress_bytes: Count,
  download_count: Count,
  tile_count: Count,
  job_count: Count,
  order_count: Count,
  credits_spent: Count,
  call_count: Count,
  failed_call_count: Count,
  compute_ms: WithDescription('Time that the server has spent on the calls.', Count),
  measured_at: Timestamp,
})

export type Usage = Static<typeof Usage>

const counts = { call_count: Count, failed_call_count: Count, tile_count: Count, compute_ms: Count }

/** Calls and egress of one day, in UTC. */
export const UsageOfDay = Type.Object({ day: Type.String({ format: 'date' }), ...counts, egress_bytes: Count })

/** Calls of one operation. */
export const UsageOfOperation = Type.Object({ operation: Type.String(), ...counts })

/** The same over some months, with the mean of their durations. */
export const MeanUsageOfOperation = Type.Object({
  ...UsageOfOperation.properties,
  mean_duration_ms: Type.Number({ minimum: 0, description: '`compute_ms` divided by `call_count`.' }),
})

/** Calls of one member, API key or service. */
export const UsageOfCaller = Type.Object({ kind: Type.String(), id: Type.String(), ...counts })

export type UsageOfDay = Static<typeof UsageOfDay>
export type UsageOfOperation = Static<typeof UsageOfOperation>
export type MeanUsageOfOperation = Static<typeof MeanUsageOfOperation>
export type UsageOfCaller = Static<typeof UsageOfCaller>
