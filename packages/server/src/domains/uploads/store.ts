import type { Upload } from '@swath/contract/schemas/upload.ts'
import { shiftOrganizationTimes, type OrganizationCurrentTimes } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { dueCondition } from '../../platform/database/due-condition.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'

export interface UploadRow {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly status: Upload['status']
  readonly transfer_method: Upload['transfer_method']
  readonly file_count: number
  readonly total_bytes: number
  /** The storage that it still reserves for files to come; 0 once it has ended. */
  readonly reserved_bytes: number
  /** The bytes that its S3 URLs can write together. */
  readonly addressed_bytes: number
  /** The expiry of the last of these URLs; null without any. */
  readonly addresses_end_at: Date | null
  readonly bytes_uploaded: number
  readonly target_collection_id: string | null
  readonly target_item_id: string | null
  readonly asset_key: string | null
  readonly is_categorical: boolean
  readonly error_message: string | null
  readonly error_step: string | null
  /** The number of ingestion attempts: only the latest one may write. */
  readonly attempt: number
  /** The expiry of the session; null once no more data is accepted. */
  readonly expires_at: Date | null
  /** The time at which all its URLs have expired, so that its objects are removed for good. */
  readonly clean_at: Date | null
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`
  u.organization_id, u.id, u.project_id, u.status, u.transfer_method, u.file_count, u.total_bytes, u.reserved_bytes,
  u.addressed_bytes, u.addresses_end_at, u.bytes_uploaded, u.target_collection_id, u.target_item_id, u.asset_key, u.is_categorical, u.error_message, u.error_step,
  u.attempt, u.expires_at, u.clean_at, u.created_by, u.created_at, u.updated_at`

export async function insertUpload(tx: Tx, row: UploadRow): Promise<void> {
  await tx.query(sql`
    insert into uploads (organization_id, id, project_id, status, transfer_method, file_count, total_bytes, reserved_bytes,
                         bytes_uploaded, target_collection_id, target_item_id, asset_key, is_categorical, attempt,
                         expires_at, created_by, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.project_id}, ${row.status}, ${row.transfer_method}, ${row.file_count},
            ${row.total_bytes}, ${row.reserved_bytes}, ${row.bytes_uploaded}, ${row.target_collection_id},
            ${row.target_item_id}, ${row.asset_key}, ${row.is_categorical}, ${row.attempt}, ${row.expires_at},
            ${row.created_by}, ${row.created_at}, ${row.updated_at})`)
}

export async function findUpload(db: SqlStatementRunner, organization: string, id: string): Promise<UploadRow | null> {
  const [row] = await db.query<UploadRow>(sql`
    select ${columns} from uploads u where u.organization_id = ${organization} and u.id = ${id}`)
  return row ?? null
}

/** The session, with its row locked until the transaction ends. */
export async function lockUpload(tx: Tx, organization: string, id: string): Promise<UploadRow | null> {
  const [row] = await tx.query<UploadRow>(sql`
    select ${columns} from uploads u where u.organization_id = ${organization} and u.id = ${id} for update of u`)
  return row ?? null
}

/** Locks the open sessions of a project; by id, which prevents deadlocks. */
export const lockOpenUploads = (tx: Tx, organization: string, project_id: string): Promise<UploadRow[]> =>
  tx.query<UploadRow>(sql`
    select ${columns} from uploads u
    where u.organization_id = ${organization} and u.project_id = ${project_id} and u.expires_at is not null
    order by u.id for update of u`)

/** Writes the mutable columns of a locked session. */
export async function updateUpload(tx: Tx, row: UploadRow): Promise<void> {
  await tx.query(sql`
    update uploads
    set status = ${row.status}, reserved_bytes = ${row.reserved_bytes}, addressed_bytes = ${row.addressed_bytes},
        addresses_end_at = ${row.addresses_end_at}, bytes_uploaded = ${row.bytes_uploaded},
        error_message = ${row.error_message}, error_step = ${row.error_step}, attempt = ${row.attempt},
        expires_at = ${row.expires_at}, clean_at = ${row.clean_at}, updated_at = ${row.updated_at}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export interface UploadListOptions {
  readonly projects: readonly string[]
  readonly status: UploadRow['status'] | null
  readonly limit: number
  readonly offset: number
}

/** Newest first, with the count of all. */
export function listUploads(
  db: SqlStatementRunner,
  organization: string,
  { projects, status, limit, offset }: UploadListOptions,
): Promise<RowPage<UploadRow>> {
  const where = sql`
    u.organization_id = ${organization} and u.project_id = any(${projects}::uuid[])
    and (${status}::text is null or u.status = ${status}::text)`
  const orderBy = sql`u.created_at desc, u.id desc`
  return selectPage(db, { columns, from: sql`uploads u`, where, orderBy, limit, offset })
}

/** The number of open sessions of an organization, and the first expiry among them. */
export async function countOpenUploads(
  db: SqlStatementRunner,
  organization: string,
): Promise<{ count: number; expires_at: Date | null }> {
  const [row] = await db.query<{ count: number; expires_at: Date | null }>(sql`
    select count(*) as count, min(expires_at) as expires_at from uploads
    where organization_id = ${organization} and expires_at is not null`)
  return row ?? { count: 0, expires_at: null }
}

export type DueUploadCause = 'expired' | 'stalled' | 'unclean'

export interface DueUploadRow {
  readonly organization_id: string
  readonly id: string
  readonly cause: DueUploadCause
}

/**
 * Due sessions of all organizations, in turns: expired, ingesting without activity for `stalled_ms`, or ended with objects that can
 * be removed for good. The latter is decided by the process clock, like the expiry of signed URLs.
 */
export const listDueUploads = (
  unscoped: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  stalled_ms: number,
  limit: number,
): Promise<DueUploadRow[]> =>
  unscoped.query<DueUploadRow>(sql`
    select organization_id, id, cause from (
      select organization_id, id, cause, due_at,
        row_number() over (partition by organization_id order by due_at, id) as turn
      from (
      select organization_id, id, 'expired' as cause, expires_at as due_at from uploads
      where ${dueCondition(sql`expires_at`, sql`organization_id`, times)}
      union all
      select organization_id, id, 'stalled', updated_at from uploads
      where status = 'ingesting' and ${dueCondition(sql`updated_at`, sql`organization_id`, shiftOrganizationTimes(times, -stalled_ms))}
      union all
      select organization_id, id, 'unclean', clean_at from uploads
      where clean_at <= ${times.processTime} and ${times.organization}::uuid is null
      ) as each_due
    ) as due
    order by turn, due_at, id limit ${limit}`)

/** The rows of open sessions that expire, and of ingestions that count as lost. */
export const dueUploadRows = (organization: string, stalled_ms: number): readonly DueRowsQuery[] => [
  { from: sql`uploads`, where: sql`organization_id = ${organization}`, at: sql`expires_at` },
  {
    from: sql`uploads`,
    where: sql`organization_id = ${organization} and status = 'ingesting'`,
    at: sql`updated_at`,
    delay_ms: stalled_ms,
    stops_clock: false,
  },
]
