import Type, { type Static } from 'typebox'
import { uploadLifecycle } from '../lifecycles.ts'
import { Count, Nullable, Timestamp, Uuid } from './primitives.ts'

export const uploadTransferMethods = ['browser', 'cli', 'cloud_transfer'] as const

/** `expected` until its bytes are verified; then `ingested` or `refused`. */
export const uploadFileStates = ['expected', 'verified', 'ingested', 'refused'] as const

export const UploadStatus = Type.Enum([...uploadLifecycle.states])

/** An uploaded part of a file. */
export const UploadPart = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 10_000 }),
  size_bytes: Count,
  etag: Type.String(),
})

export const UploadFile = Type.Object({
  file_name: Type.String({
    description: 'As the sender names it; a file in an archive has the name of the archive in front.',
  }),
  object_path: Type.String(),
  status: Type.Enum([...uploadFileStates]),
  size_bytes: Nullable(Count, { description: 'Bytes in storage; null until the whole file is stored.' }),
  sha256: Nullable(Type.String(), { description: 'Set when the file is verified.' }),
  reason: Nullable(Type.String(), { description: 'Why the file was rejected, and what to do.' }),
  notes: Type.Array(Type.String(), { description: 'What was assumed or changed while the file was read.' }),
  item_ids: Type.Array(Uuid, { description: 'The items created from the file, or the item that it was attached to.' }),
  parts: Type.Array(UploadPart, { description: 'Received parts of a multipart upload.' }),
})

/** An upload session: files are sent and then ingested; it reserves storage while it is open. */
export const Upload = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  project_id: Uuid,
  status: UploadStatus,
  transfer_method: Type.Enum([...uploadTransferMethods]),
  file_count: Count,
  total_bytes: Count,
  reserved_bytes: Type.Integer({
    minimum: 0,
    description:
      'Storage that the session reserves. After its end, with storage in a bucket: what its upload URLs can still write until they expire.',
  }),
  bytes_uploaded: Count,
  target_collection_id: Nullable(Uuid),
  target_item_id: Nullable(Uuid),
  asset_key: Nullable(Type.String()),
  is_categorical: Type.Boolean(),
  error_message: Nullable(Type.String()),
  error_step: Nullable(Type.String()),
  item_ids: Type.Array(Uuid),
  files: Type.Array(UploadFile, { description: 'Details of each file; empty in lists of sessions.' }),
  expires_at: Nullable(Timestamp),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Upload = Static<typeof Upload>
export type UploadFile = Static<typeof UploadFile>
