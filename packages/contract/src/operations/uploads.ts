import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import {
  Count,
  WithDefault,
  WithDescription,
  StrictObject,
  OptionalNullable,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { uploadTransferMethods, Upload, UploadStatus } from '../schemas/upload.ts'

const FileName = Type.String({ minLength: 1, maxLength: 1000 })
const ByteCount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const transitionProblems = ['not-found', 'not-a-member', 'invalid-state'] as const
const readProblems = ['not-found', 'not-a-member'] as const
const ContentType = WithDefault(Type.String({ maxLength: 200 }), 'application/octet-stream')
const ExactSize = WithDescription(
  'Exact size of the body; any other size is rejected. Required if files are stored in a bucket.',
  OptionalNullable(ByteCount),
)

/** The URL to which a file, or a part of it, is sent by PUT. */
const uploadUrlFields = {
  upload_url: Type.String(),
  object_path: WithDescription('The id of the file for `uploads.complete`.', Type.String()),
  expires_at: Timestamp,
}

const UploadedFileInput = StrictObject({
  object_path: WithDescription('The `object_path` from `uploads.signed_url`.', FileName),
  size: ByteCount,
  sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
  parts: OptionalNullable(
    Type.Array(
      StrictObject({ number: Type.Integer({ minimum: 1, maximum: 10_000 }), etag: Type.String({ maxLength: 200 }) }),
      {
        maxItems: 10_000,
        description: 'Parts of a multipart upload.',
      },
    ),
  ),
})

export const uploadsInitiateOperation = operation({
  id: 'uploads.initiate',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Create an upload session and reserve storage for it.',
  input: StrictObject({
    project_id: Uuid,
    transfer_method: WithDefault(
      Type.Enum([...uploadTransferMethods], { description: 'Transfer method of the files.' }),
      'browser',
    ),
    file_count: WithDefault(Type.Integer({ minimum: 1, maximum: 10_000 }), 1),
    total_bytes: WithDescription(
      'Bytes to reserve, which may then be sent; 0 reserves up to 1 GB.',
      WithDefault(ByteCount, 0),
    ),
    target_collection_id: OptionalNullable(Uuid),
    target_item_id: WithDescription('Attach the file to this item, under `asset_key`.', OptionalNullable(Uuid)),
    asset_key: OptionalNullable(Type.String({ minLength: 1, maxLength: 200, description: 'Key of the new asset.' })),
    is_categorical: WithDefault(
      Type.Boolean({ description: 'The raster has classes: overviews use the most frequent value (mode).' }),
      false,
    ),
  }),
  output: Upload,
  problems: [...transitionProblems, 'gone-retention', 'quota-storage', 'quota-exceeded', 'name-taken'],
})

export const uploadsSignedUrlOperation = operation({
  id: 'uploads.signed_url',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Issue a signed URL for uploading one file.',
  input: StrictObject({
    upload_id: Uuid,
    file_name: FileName,
    content_type: ContentType,
    size_bytes: ExactSize,
  }),
  output: Type.Object(uploadUrlFields),
  problems: transitionProblems,
})

export const uploadsPartUrlOperation = operation({
  id: 'uploads.part_url',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Issue a signed URL for uploading one part of a file.',
  input: StrictObject({
    upload_id: Uuid,
    file_name: FileName,
    number: WithDescription(
      'Parts are joined in the order of their numbers.',
      Type.Integer({ minimum: 1, maximum: 10_000 }),
    ),
    content_type: ContentType,
    size_bytes: ExactSize,
  }),
  output: Type.Object({ ...uploadUrlFields, number: Count }),
  problems: transitionProblems,
  extension: true,
})

export const uploadsGetOperation = operation({
  id: 'uploads.get',
  scope: 'uploads:write',
  effect: 'read',
  summary: 'Read an upload session with the state of its files.',
  input: StrictObject({ upload_id: Uuid }),
  output: Type.Object({ upload: Upload }),
  problems: readProblems,
  extension: true,
})

export const uploadsListOperation = operation({
  id: 'uploads.list',
  scope: 'uploads:write',
  effect: 'read',
  summary: 'List the upload sessions of a project, or of all projects that the caller can see.',
  input: StrictObject({
    project_id: OptionalNullable(Uuid),
    status: OptionalNullable(UploadStatus),
    ...offsetPaging(),
  }),
  output: ListEnvelope('uploads', Upload),
  paging: 'offset',
  problems: readProblems,
  extension: true,
})

export const uploadsCancelOperation = operation({
  id: 'uploads.cancel',
  scope: 'uploads:write',
  effect: 'destructive',
  summary: 'Cancel an upload session: delete what was sent and release the reserved storage.',
  input: StrictObject({ upload_id: Uuid }),
  output: Upload,
  problems: transitionProblems,
  extension: true,
})

export const uploadsProgressOperation = operation({
  id: 'uploads.progress',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Report the progress of an upload and read the session.',
  input: StrictObject({
    upload_id: Uuid,
    status: OptionalNullable(
      Type.Enum(['uploading', 'uploaded'], { description: 'The status can only move forward.' }),
    ),
    bytes_uploaded: OptionalNullable(ByteCount),
  }),
  output: Upload,
  problems: transitionProblems,
})

export const uploadsCompleteOperation = operation({
  id: 'uploads.complete',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Verify the uploaded files and ingest them as items and assets.',
  input: StrictObject({
    upload_id: Uuid,
    files: Type.Array(UploadedFileInput, { minItems: 1, maxItems: 10_000, description: 'The uploaded files.' }),
  }),
  output: Type.Object({
    upload: Upload,
    item_ids: WithDescription('Empty while the session is `ingesting`.', Type.Array(Uuid)),
    accepted_count: WithDescription('Number of files that were verified and not rejected.', Count),
  }),
  problems: [...transitionProblems, 'quota-storage'],
  emits: ['upload.completed', 'item.created'],
})

export const uploadsFailOperation = operation({
  id: 'uploads.fail',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Mark an upload session as failed and release the reserved storage.',
  input: StrictObject({
    upload_id: Uuid,
    error_message: Type.String({ minLength: 1, maxLength: limits.max_text_length }),
    error_step: OptionalNullable(
      Type.String({ maxLength: 200, description: 'The step that failed, such as `sending`.' }),
    ),
  }),
  output: Upload,
  problems: transitionProblems,
})
