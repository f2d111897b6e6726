import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { Count, Default, Described, Input, Maybe, Timestamp, Uuid } from '../shapes/primitives.ts'
import { transferMethods, Upload, UploadStatus } from '../shapes/upload.ts'

const FileName = Type.String({ minLength: 1, maxLength: 1000 })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const moving = ['not-found', 'not-a-member', 'invalid-state'] as const
const reading = ['not-found', 'not-a-member'] as const
const ContentType = Default(Type.String({ maxLength: 200 }), 'application/octet-stream')
const ExactSize = Described(
  'Exact size of the body; any other size is rejected. Required if files are stored in a bucket.',
  Maybe(Bytes),
)

/** The URL to which a file, or a part of it, is sent by PUT. */
const address = {
  upload_url: Type.String(),
  object_path: Described('The id of the file for `uploads.complete`.', Type.String()),
  expires_at: Timestamp,
}

const SentFile = Input({
  object_path: Described('The `object_path` from `uploads.signed_url`.', FileName),
  size: Bytes,
  sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
  parts: Maybe(
    Type.Array(
      Input({ number: Type.Integer({ minimum: 1, maximum: 10_000 }), etag: Type.String({ maxLength: 200 }) }),
      {
        maxItems: 10_000,
        description: 'Parts of a multipart upload.',
      },
    ),
  ),
})

export const uploadsInitiate = operation({
  id: 'uploads.initiate',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Create an upload session and reserve storage for it.',
  input: Input({
    project_id: Uuid,
    transfer_method: Default(
      Type.Enum([...transferMethods], { description: 'Transfer method of the files.' }),
      'browser',
    ),
    file_count: Default(Type.Integer({ minimum: 1, maximum: 10_000 }), 1),
    total_bytes: Described('Bytes to reserve, which may then be sent; 0 reserves up to 1 GB.', Default(Bytes, 0)),
    target_collection_id: Maybe(Uuid),
    target_item_id: Described('Attach the file to this item, under `asset_key`.', Maybe(Uuid)),
    asset_key: Maybe(Type.String({ minLength: 1, maxLength: 200, description: 'Key of the new asset.' })),
    is_categorical: Default(
      Type.Boolean({ description: 'The raster has classes: overviews use the most frequent value (mode).' }),
      false,
    ),
  }),
  output: Upload,
  problems: [...moving, 'gone-retention', 'quota-storage', 'quota-exceeded', 'name-taken'],
  answered: true,
})

export const uploadsSignedUrl = operation({
  id: 'uploads.signed_url',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Issue a signed URL for uploading one file.',
  input: Input({
    upload_id: Uuid,
    file_name: FileName,
    content_type: ContentType,
    size_bytes: ExactSize,
  }),
  output: Type.Object(address),
  problems: moving,
  answered: true,
})

export const uploadsPartUrl = operation({
  id: 'uploads.part_url',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Issue a signed URL for uploading one part of a file.',
  input: Input({
    upload_id: Uuid,
    file_name: FileName,
    number: Described('Parts are joined in the order of their numbers.', Type.Integer({ minimum: 1, maximum: 10_000 })),
    content_type: ContentType,
    size_bytes: ExactSize,
  }),
  output: Type.Object({ ...address, number: Count }),
  problems: moving,
  extension: true,
  answered: true,
})

export const uploadsGet = operation({
  id: 'uploads.get',
  scope: 'uploads:write',
  effect: 'read',
  summary: 'Read an upload session with the state of its files.',
  input: Input({ upload_id: Uuid }),
  output: Type.Object({ upload: Upload }),
  problems: reading,
  extension: true,
  answered: true,
})

export const uploadsList = operation({
  id: 'uploads.list',
  scope: 'uploads:write',
  effect: 'read',
  summary: 'List the upload sessions of a project, or of all projects that the caller can see.',
  input: Input({ project_id: Maybe(Uuid), status: Maybe(UploadStatus), ...offsetPaging() }),
  output: List('uploads', Upload),
  paging: 'offset',
  problems: reading,
  extension: true,
  answered: true,
})

export const uploadsCancel = operation({
  id: 'uploads.cancel',
  scope: 'uploads:write',
  effect: 'destructive',
  summary: 'Cancel an upload session: delete what was sent and release the reserved storage.',
  input: Input({ upload_id: Uuid }),
  output: Upload,
  problems: moving,
  extension: true,
  answered: true,
})

export const uploadsProgress = operation({
  id: 'uploads.progress',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Report the progress of an upload and read the session.',
  input: Input({
    upload_id: Uuid,
    status: Maybe(Type.Enum(['uploading', 'uploaded'], { description: 'The status can only move forward.' })),
    bytes_uploaded: Maybe(Bytes),
  }),
  output: Upload,
  problems: moving,
  answered: true,
})

export const uploadsComplete = operation({
  id: 'uploads.complete',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Verify the uploaded files and ingest them as items and assets.',
  input: Input({
    upload_id: Uuid,
    files: Type.Array(SentFile, { minItems: 1, maxItems: 10_000, description: 'The uploaded files.' }),
  }),
  output: Type.Object({
    upload: Upload,
    item_ids: Described('Empty while the session is `ingesting`.', Type.Array(Uuid)),
    accepted_count: Described('Number of files that were verified and not rejected.', Count),
  }),
  problems: [...moving, 'quota-storage'],
  emits: ['upload.completed', 'item.created'],
  answered: true,
})

export const uploadsFail = operation({
  id: 'uploads.fail',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Mark an upload session as failed and release the reserved storage.',
  input: Input({
    upload_id: Uuid,
    error_message: Type.String({ minLength: 1, maxLength: limits.text_length }),
    error_step: Maybe(Type.String({ maxLength: 200, description: 'The step that failed, such as `sending`.' })),
  }),
  output: Upload,
  problems: moving,
  answered: true,
})
