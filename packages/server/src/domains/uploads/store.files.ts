import type { UploadFile } from '@swath/contract/schemas/upload.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface UploadFileRow {
  readonly id: string
  readonly upload_id: string
  /** The name that the sender chose. */
  readonly file_name: string
  readonly object_path: string
  readonly media_type: string
  /** The id of its multipart upload in the object store. */
  readonly part_upload: string | null
  /** The archive that contains it. */
  readonly parent_id: string | null
  readonly status: UploadFile['status']
  readonly size_bytes: number | null
  readonly sha256: string | null
  readonly etag: string | null
  readonly reason: string | null
  readonly notes: readonly string[]
  readonly item_ids: readonly string[]
}

export interface NewUploadFile extends Omit<UploadFileRow, 'part_upload' | 'etag' | 'reason' | 'notes' | 'item_ids'> {
  readonly organization_id: string
  readonly created_at: Date
}

const columns = sql`
  f.id, f.upload_id, f.file_name, f.object_path, f.media_type, f.part_upload, f.parent_id, f.status, f.size_bytes, f.sha256,
  f.etag, f.reason, f.notes, f.item_ids::text[] as item_ids`

/** Inserts the file, or updates the media type of the file with the same name. */
export async function upsertUploadFile(tx: Tx, file: NewUploadFile): Promise<UploadFileRow> {
  const [row] = await tx.query<UploadFileRow>(sql`
    insert into upload_files as f (organization_id, upload_id, id, file_name, object_path, media_type, parent_id, status,
                                   size_bytes, sha256, created_at)
    values (${file.organization_id}, ${file.upload_id}, ${file.id}, ${file.file_name}, ${file.object_path},
            ${file.media_type}, ${file.parent_id}, ${file.status}, ${file.size_bytes}, ${file.sha256}, ${file.created_at})
    on conflict (organization_id, upload_id, file_name) do update set media_type = excluded.media_type
    returning ${columns}`)
  return row!
}

/** The files of a session in order of registration, those of archives last. */
export const listUploadFiles = (
  db: SqlStatementRunner,
  organization: string,
  upload_id: string,
): Promise<UploadFileRow[]> =>
  db.query<UploadFileRow>(sql`
    select ${columns} from upload_files f
    where f.organization_id = ${organization} and f.upload_id = ${upload_id}
    order by f.created_at, f.id`)

export async function countOtherUploadFiles(
  db: SqlStatementRunner,
  organization: string,
  upload_id: string,
  excludedName: string,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from upload_files
    where organization_id = ${organization} and upload_id = ${upload_id} and parent_id is null and file_name <> ${excludedName}`)
  return row?.count ?? 0
}

/** The item ids of the files of sessions, by session. */
export async function listItemIdsByUpload(
  db: SqlStatementRunner,
  organization: string,
  uploads: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db.query<{ upload_id: string; item_id: string }>(sql`
    select distinct f.upload_id, made.item_id::text as item_id
    from upload_files f, unnest(f.item_ids) as made (item_id)
    where f.organization_id = ${organization} and f.upload_id = any(${uploads}::uuid[])
    order by item_id`)
  const itemIdsByUpload = new Map<string, string[]>()
  for (const { upload_id, item_id } of rows)
    itemIdsByUpload.set(upload_id, [...(itemIdsByUpload.get(upload_id) ?? []), item_id])
  return itemIdsByUpload
}

/** The id of the multipart upload of a file; null without one. */
export async function findMultipartUpload(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<string | null> {
  const [row] = await db.query<{ part_upload: string | null }>(sql`
    select part_upload from upload_files where organization_id = ${organization} and id = ${id}`)
  return row?.part_upload ?? null
}

/** Sets the multipart upload of a file; false if it has one or the file was deleted. */
export async function updateMultipartUpload(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  name: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    update upload_files set part_upload = ${name}
    where organization_id = ${organization} and id = ${id} and part_upload is null
    returning id`)
  return rows.length > 0
}

export async function markMultipartUploadEnded(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<void> {
  await db.query(sql`
    update upload_files set part_upload = null where organization_id = ${organization} and id = ${id}`)
}

export interface VerifiedUploadFile {
  readonly id: string
  readonly size_bytes: number
  readonly sha256: string
  readonly etag: string
}

/** Stores the checksum of the received bytes, which is valid while the ETag is the same. */
export async function updateUploadFileChecksum(
  db: SqlStatementRunner,
  organization: string,
  file: VerifiedUploadFile,
): Promise<void> {
  await db.query(sql`
    update upload_files set size_bytes = ${file.size_bytes}, sha256 = ${file.sha256}, etag = ${file.etag}
    where organization_id = ${organization} and id = ${file.id} and status = 'expected'`)
}

/** Marks the verified files and deletes the others of the session. */
export async function markUploadFilesVerified(
  tx: Tx,
  organization: string,
  upload_id: string,
  files: readonly VerifiedUploadFile[],
): Promise<void> {
  await tx.query(sql`
    update upload_files f
    set status = 'verified', size_bytes = given.size_bytes, sha256 = given.sha256, etag = given.etag
    from json_to_recordset(${sql.json(files)}::json) as given (id uuid, size_bytes bigint, sha256 text, etag text)
    where f.organization_id = ${organization} and f.upload_id = ${upload_id} and f.id = given.id`)
  await tx.query(sql`
    delete from upload_files
    where organization_id = ${organization} and upload_id = ${upload_id} and status = 'expected'`)
}

export async function markUploadFileIngested(
  tx: Tx,
  organization: string,
  id: string,
  { item_ids, notes }: Pick<UploadFileRow, 'item_ids' | 'notes'>,
): Promise<void> {
  await tx.query(sql`
    update upload_files set status = 'ingested', item_ids = ${item_ids}::uuid[], notes = ${notes}::text[]
    where organization_id = ${organization} and id = ${id} and status = 'verified'`)
}

export async function markUploadFileRefused(tx: Tx, organization: string, id: string, reason: string): Promise<void> {
  await tx.query(sql`
    update upload_files set status = 'refused', reason = ${reason}
    where organization_id = ${organization} and id = ${id} and status = 'verified'`)
}
