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
  'Exactly so many bytes are taken then. Required where files are kept in a bucket.',
  Maybe(Bytes),
)

/** Where one file, or one part of it, is sent by PUT. */
const address = {
  upload_url: Type.String(),
  object_path: Described('What `uploads.complete` calls the file.', Type.String()),
  expires_at: Timestamp,
}

const SentFile = Input({
  object_path: Described('As `uploads.signed_url` gave it.', FileName),
  size: Bytes,
  sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
  parts: Maybe(
    Type.Array(
      Input({ number: Type.Integer({ minimum: 1, maximum: 10_000 }), etag: Type.String({ maxLength: 200 }) }),
      {
        maxItems: 10_000,
        description: 'Of a file that was sent in parts.',
      },
    ),
  ),
})

export const uploadsInitiate = operation({
  id: 'uploads.initiate',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Open an upload session and reserve storage for it.',
  input: Input({
    project_id: Uuid,
    transfer_method: Default(Type.Enum([...transferMethods], { description: 'How the files are sent.' }), 'browser'),
    file_count: Default(Type.Integer({ minimum: 1, maximum: 10_000 }), 1),
    total_bytes: Described('What is reserved and may be sent; 0 reserves up to a gigabyte.', Default(Bytes, 0)),
    target_collection_id: Maybe(Uuid),
    target_item_id: Described('Attach the file to this item, under `asset_key`.', Maybe(Uuid)),
    asset_key: Maybe(Type.String({ minLength: 1, maxLength: 200, description: 'The key of the new asset.' })),
    is_categorical: Default(Type.Boolean({ description: 'Classes: overviews by the most frequent value.' }), false),
  }),
  output: Upload,
  problems: [...moving, 'gone-retention', 'quota-storage', 'quota-exceeded', 'name-taken'],
  answered: true,
})

export const uploadsSignedUrl = operation({
  id: 'uploads.signed_url',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Mint an address to which one file can be sent.',
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
  summary: 'Mint an address to which one part of a file can be sent.',
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
  summary: 'Read a session: its state, and of each file what has arrived and what became of it.',
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
  summary: 'List the sessions of a project, or of all that the caller can see.',
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
  summary: 'Give up a session: what was sent is removed, and the storage that it reserved is free again.',
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
  summary: 'Report how far the sending is, and read the session.',
  input: Input({
    upload_id: Uuid,
    status: Maybe(Type.Enum(['uploading', 'uploaded'], { description: 'It only moves forward.' })),
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
  summary: 'Check the files that were sent and ingest them into items and assets.',
  input: Input({
    upload_id: Uuid,
    files: Type.Array(SentFile, { minItems: 1, maxItems: 10_000, description: 'What was sent.' }),
  }),
  output: Type.Object({
    upload: Upload,
    item_ids: Described('None while the session is `ingesting`.', Type.Array(Uuid)),
    accepted_count: Described('Files that were verified and have not been refused.', Count),
  }),
  problems: [...moving, 'quota-storage'],
  emits: ['upload.completed', 'item.created'],
  answered: true,
})

export const uploadsFail = operation({
  id: 'uploads.fail',
  scope: 'uploads:write',
  effect: 'compute',
  summary: 'Mark a session as failed and release the storage it reserved.',
  input: Input({
    upload_id: Uuid,
    error_message: Type.String({ minLength: 1, maxLength: limits.text_length }),
    error_step: Maybe(Type.String({ maxLength: 200, description: 'Where it failed, such as `sending`.' })),
  }),
  output: Upload,
  problems: moving,
  answered: true,
})
