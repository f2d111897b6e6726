import type { Upload, UploadFile } from '@swath/contract/shapes/upload.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Blobs, PartFacts } from '../../platform/blobs/blobs.ts'
import { isOpen } from './moves.ts'
import { folderOfUpload } from './object-paths.ts'
import type { UploadRow } from './store.ts'
import { itemsOfUploads, listFiles, type FileRow } from './store.files.ts'

/** The received objects of an open session. */
interface Arrived {
  readonly sizes: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<string, readonly PartFacts[]>
}

const nothing: Arrived = { sizes: new Map(), parts: new Map() }

function fileOf(file: FileRow, arrived: Arrived): UploadFile {
  const { file_name, object_path, status, sha256, reason, item_ids } = file
  const parts = (arrived.parts.get(file.id) ?? []).map(({ number, size, etag }) => ({ number, size_bytes: size, etag }))
  const verified = status !== 'expected'
  return {
    file_name,
    object_path,
    status,
    size_bytes: verified ? file.size_bytes : (arrived.sizes.get(object_path) ?? null),
    sha256: verified ? sha256 : null,
    reason,
    item_ids: [...item_ids],
    parts,
  }
}

const timesOf = (row: UploadRow) => ({
  expires_at: row.expires_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** The representation of a session. */
export function uploadOf(row: UploadRow, item_ids: readonly string[], files: readonly UploadFile[] = []): Upload {
  const { attempt: _attempt, clean_at: _clean, addressed_bytes, addresses_end_at: _end, ...rest } = row
  const reserved_bytes = Math.max(row.reserved_bytes, addressed_bytes)
  return { ...rest, reserved_bytes, ...timesOf(row), item_ids: [...item_ids], files: [...files] }
}

/** The session with its files and, while it is open, their received objects. */
export async function readUpload(db: Queryable, blobs: Blobs, row: UploadRow): Promise<Upload> {
  const files = await listFiles(db, row.organization_id, row.id)
  const arrived = isOpen(row) ? await lookAt(blobs, row, files) : nothing
  const there = files.map((file) => fileOf(file, arrived))
  const item_ids = [...new Set(files.flatMap((file) => file.item_ids))].sort()
  const sent = there.flatMap((file) => [file.size_bytes ?? 0, ...file.parts.map((part) => part.size_bytes)])
  const bytes_uploaded = isOpen(row)
    ? Math.max(
        row.bytes_uploaded,
        sent.reduce((sum, bytes) => sum + bytes, 0),
      )
    : row.bytes_uploaded
  return uploadOf({ ...row, bytes_uploaded }, item_ids, there)
}

async function lookAt(blobs: Blobs, row: UploadRow, files: readonly FileRow[]): Promise<Arrived> {
  const sizes = new Map<string, number>()
  const folder = `${folderOfUpload(row.organization_id, row.id)}/`
  for await (const { path, size } of blobs.list(folder)) sizes.set(path, size)
  const parts = new Map<string, readonly PartFacts[]>()
  for (const { id, object_path, part_upload } of files)
    if (part_upload !== null) parts.set(id, await blobs.listParts(object_path, part_upload))
  return { sizes, parts }
}

/** The representations of sessions without their files. */
export async function uploadsOf(db: Queryable, organization: string, rows: readonly UploadRow[]): Promise<Upload[]> {
  const items = await itemsOfUploads(
    db,
    organization,
    rows.map((row) => row.id),
  )
  return rows.map((row) => uploadOf(row, items.get(row.id) ?? []))
}
