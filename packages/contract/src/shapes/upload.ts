import Type, { type Static } from 'typebox'
import { uploadLifecycle } from '../lifecycles.ts'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

export const transferMethods = ['browser', 'cli', 'cloud_transfer'] as const

/** `expected` until its bytes were verified; then it is `ingested` or `refused`. */
export const uploadFileStates = ['expected', 'verified', 'ingested', 'refused'] as const

export const UploadStatus = Type.Enum([...uploadLifecycle.states])

/** A part of a file that lies in storage. */
export const UploadPart = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 10_000 }),
  size_bytes: Count,
  etag: Type.String(),
})

export const UploadFile = Type.Object({
  file_name: Type.String({ description: 'As its sender calls it; a file of an archive after the archive.' }),
  object_path: Type.String(),
  status: Type.Enum([...uploadFileStates]),
  size_bytes: Nullable(Count, { description: 'Of what lies in storage; null where nothing whole does.' }),
  sha256: Nullable(Type.String(), { description: 'Set once it was verified.' }),
  reason: Nullable(Type.String(), { description: 'Why it was refused, and what to do.' }),
  item_ids: Type.Array(Uuid, { description: 'What it became, or the item that it was attached to.' }),
  parts: Type.Array(UploadPart, { description: 'Of a file that is being sent in parts: what has arrived.' }),
})

/** A session in which files are sent and then ingested; it reserves storage while it is open. */
export const Upload = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  project_id: Uuid,
  status: UploadStatus,
  transfer_method: Type.Enum([...transferMethods]),
  file_count: Count,
  total_bytes: Count,
  reserved_bytes: Type.Integer({
    minimum: 0,
    description:
      'Storage that the session keeps; once it ended only in a bucket, what its upload URLs can still write until they expire.',
  }),
  bytes_uploaded: Count,
  target_collection_id: Nullable(Uuid),
  target_item_id: Nullable(Uuid),
  asset_key: Nullable(Type.String()),
  is_categorical: Type.Boolean(),
  error_message: Nullable(Type.String()),
  error_step: Nullable(Type.String()),
  item_ids: Type.Array(Uuid),
  files: Type.Array(UploadFile, { description: 'File after file; a list of sessions leaves them out.' }),
  expires_at: Nullable(Timestamp),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Upload = Static<typeof Upload>
export type UploadFile = Static<typeof UploadFile>
