import type { Upload, UploadFile } from '@swath/contract/schemas/upload.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { BlobStore, UploadedPart } from '../../platform/blobs/blobs.ts'
import { isOpenUpload } from './upload-transitions.ts'
import { getUploadBlobPrefix } from './object-paths.ts'
import type { UploadRow } from './store.ts'
import { listItemIdsByUpload, listUploadFiles, type UploadFileRow } from './store.files.ts'

/** The received objects of an open session. */
interface ReceivedObjects {
  readonly sizes: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<string, readonly UploadedPart[]>
}

const noObjects: ReceivedObjects = { sizes: new Map(), parts: new Map() }

function toUploadFile(file: UploadFileRow, received: ReceivedObjects): UploadFile {
  const { file_name, object_path, status, sha256, reason, notes, item_ids } = file
  const parts = (received.parts.get(file.id) ?? []).map(({ number, size, etag }) => ({
    number,
    size_bytes: size,
    etag,
  }))
  const isVerified = status !== 'expected'
  return {
    file_name,
    object_path,
    status,
    size_bytes: isVerified ? file.size_bytes : (received.sizes.get(object_path) ?? null),
    sha256: isVerified ? sha256 : null,
    reason,
    notes: [...notes],
    item_ids: [...item_ids],
    parts,
  }
}

const formatTimes = (row: UploadRow) => ({
  expires_at: row.expires_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** The representation of a session. */
export function toUpload(row: UploadRow, item_ids: readonly string[], files: readonly UploadFile[] = []): Upload {
  const { attempt: _attempt, clean_at: _clean, addressed_bytes, addresses_end_at: _end, ...rest } = row
  const reserved_bytes = Math.max(row.reserved_bytes, addressed_bytes)
  return { ...rest, reserved_bytes, ...formatTimes(row), item_ids: [...item_ids], files: [...files] }
}

/** The session with its files and, while it is open, their received objects. */
export async function readUploadWithFiles(db: SqlStatementRunner, blobs: BlobStore, row: UploadRow): Promise<Upload> {
  const files = await listUploadFiles(db, row.organization_id, row.id)
  const received = isOpenUpload(row) ? await readReceivedObjects(blobs, row, files) : noObjects
  const uploadFiles = files.map((file) => toUploadFile(file, received))
  const item_ids = [...new Set(files.flatMap((file) => file.item_ids))].sort()
  const received_sizes = uploadFiles.flatMap((file) => [
    file.size_bytes ?? 0,
    ...file.parts.map((part) => part.size_bytes),
  ])
  const bytes_uploaded = isOpenUpload(row)
    ? Math.max(
        row.bytes_uploaded,
        received_sizes.reduce((sum, bytes) => sum + bytes, 0),
      )
    : row.bytes_uploaded
  return toUpload({ ...row, bytes_uploaded }, item_ids, uploadFiles)
}

async function readReceivedObjects(
  blobs: BlobStore,
  row: UploadRow,
  files: readonly UploadFileRow[],
): Promise<ReceivedObjects> {
  const sizes = new Map<string, number>()
  const folder = `${getUploadBlobPrefix(row.organization_id, row.id)}/`
  for await (const { path, size } of blobs.list(folder)) sizes.set(path, size)
  const parts = new Map<string, readonly UploadedPart[]>()
  for (const { id, object_path, part_upload } of files)
    if (part_upload !== null) parts.set(id, await blobs.listParts(object_path, part_upload))
  return { sizes, parts }
}

/** The representations of sessions without their files. */
export async function toUploads(
  db: SqlStatementRunner,
  organization: string,
  rows: readonly UploadRow[],
): Promise<Upload[]> {
  const items = await listItemIdsByUpload(
    db,
    organization,
    rows.map((row) => row.id),
  )
  return rows.map((row) => toUpload(row, items.get(row.id) ?? []))
}
