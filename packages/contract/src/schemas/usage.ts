import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

/** The usage of an organization in one month, with the quota of its plan. */
export const Usage = Type.Object({
  organization_id: Uuid,
  period: Type.String({ description: 'A month, `YYYY-MM`.' }),
  storage_bytes: Count,
  storage_quota_bytes: Nullable(Count),
  reserved_bytes: Count,
  egress_bytes: Count,
  download_count: Count,
  tile_count: Count,
  job_count: Count,
  order_count: Count,
  credits_spent: Count,
  call_count: Count,
  measured_at: Timestamp,
})

export type Usage = Static<typeof Usage>
