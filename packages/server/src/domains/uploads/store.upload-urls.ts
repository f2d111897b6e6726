import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

/** A presigned URL of S3. */
export interface UploadUrlRow {
  readonly organization_id: string
  readonly upload_id: string
  readonly file_id: string
  /** 0 for the whole file. */
  readonly part: number
  readonly size_bytes: number
}

/** Records the size of a URL in a locked session; returns by how much its URLs can write more than before. */
export async function upsertUploadUrlReservation(tx: Tx, urlRow: UploadUrlRow): Promise<number> {
  const { organization_id, upload_id, file_id, part, size_bytes } = urlRow
  const [existing] = await tx.query<{ size_bytes: number }>(sql`
    select size_bytes from upload_addresses
    where organization_id = ${organization_id} and upload_id = ${upload_id} and file_id = ${file_id} and part = ${part}`)
  if (existing && existing.size_bytes >= size_bytes) return 0
  await tx.query(sql`
    insert into upload_addresses (organization_id, upload_id, file_id, part, size_bytes)
    values (${organization_id}, ${upload_id}, ${file_id}, ${part}, ${size_bytes})
    on conflict (organization_id, upload_id, file_id, part) do update set size_bytes = excluded.size_bytes`)
  return size_bytes - (existing?.size_bytes ?? 0)
}

/** True if a URL for the whole file was issued. */
export async function hasWholeFileUploadUrl(
  db: SqlStatementRunner,
  organization: string,
  upload_id: string,
  file_id: string,
) {
  const rows = await db.query(sql`
    select part from upload_addresses
    where organization_id = ${organization} and upload_id = ${upload_id} and file_id = ${file_id} and part = 0`)
  return rows.length > 0
}

/** Deletes the part URLs of one file or of all (null) in a locked session; returns the bytes that they could write. */
export async function deleteUploadPartUrls(
  tx: Tx,
  organization: string,
  upload_id: string,
  file_id: string | null,
): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(sql`
    with gone as (
      delete from upload_addresses
      where organization_id = ${organization} and upload_id = ${upload_id} and part > 0
        and (${file_id}::uuid is null or file_id = ${file_id}::uuid)
      returning size_bytes
    )
    select coalesce(sum(size_bytes), 0)::bigint as bytes from gone`)
  return row?.bytes ?? 0
}

/**
 * Records that the objects of an ended session were removed after its last URL had expired. With S3 URLs it is cleaned once
 * more at `cleanAgainAt`: a PUT that began in time may end later.
 */
export async function markUploadUrlsClosed(
  tx: Tx,
  organization: string,
  upload_id: string,
  cleanAgainAt: Date,
): Promise<void> {
  await tx.query(sql`
    delete from upload_addresses where organization_id = ${organization} and upload_id = ${upload_id}`)
  await tx.query(sql`
    update uploads
    set addressed_bytes = 0, addresses_end_at = null,
        clean_at = case when addresses_end_at is null then null else ${cleanAgainAt}::timestamptz end
    where organization_id = ${organization} and id = ${upload_id} and expires_at is null`)
}
