import Type, { type Static } from 'typebox'
import { uploadLifecycle } from '../lifecycles.ts'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

export const transferMethods = ['browser', 'cli', 'cloud_transfer'] as const

export const UploadStatus = Type.Enum([...uploadLifecycle.states])

/** A session in which files are sent and then ingested; it reserves storage while it is open. */
export const Upload = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  project_id: Uuid,
  status: UploadStatus,
  transfer_method: Type.Enum([...transferMethods]),
  file_count: Count,
  total_bytes: Count,
  bytes_uploaded: Count,
  target_collection_id: Nullable(Uuid),
  target_item_id: Nullable(Uuid),
  asset_key: Nullable(Type.String()),
  is_categorical: Type.Boolean(),
  error_message: Nullable(Type.String()),
  error_step: Nullable(Type.String()),
  item_ids: Type.Array(Uuid),
  expires_at: Nullable(Timestamp),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Upload = Static<typeof Upload>
