import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import {
  splitIntoBatches,
  buildValuesList,
  prepareByListLength,
} from '../../platform/database/statements/values-list.ts'

export interface StorageJournalRow {
  readonly id: string
  readonly asset_id: string | null
  readonly object_path: string
  readonly bytes_delta: number
  readonly cause: string
}

/** The columns that all rows of one write share. */
export interface StorageJournalOrigin {
  readonly organization_id: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly operation: string
  readonly request_id: string
  readonly created_at: Date
}

/** The net bytes stored at a path for an asset (null: for the organization as a whole); never zero. */
export interface StoredBytes {
  readonly asset_id: string | null
  readonly object_path: string
  readonly bytes: number
}

/**
 * Appends rows to the storage journal, which must be locked, and adds them to the total.
 */
export async function insertStorageJournalEntries(
  tx: Tx,
  origin: StorageJournalOrigin,
  rows: readonly StorageJournalRow[],
): Promise<void> {
  for (const batch of splitIntoBatches(rows))
    await tx.query(
      prepareByListLength(
        sql`
    insert into storage_journal (organization_id, id, asset_id, object_path, bytes_delta, cause, actor_kind, actor_id,
                                 operation, request_id, created_at)
    values ${buildValuesList(
      batch,
      (moved) => sql`
      (${origin.organization_id}, ${moved.id}, ${moved.asset_id}, ${moved.object_path}, ${moved.bytes_delta},
       ${moved.cause}, ${origin.actor_kind}, ${origin.actor_id}, ${origin.operation}, ${origin.request_id},
       ${origin.created_at})`,
    )}`,
        batch.length,
      ),
    )
  const added_bytes = rows.reduce((sum, { bytes_delta }) => sum + bytes_delta, 0)
  if (added_bytes === 0) return
  await tx.query(
    sql.prepared(sql`
    insert into storage_totals as t (organization_id, file_bytes, metadata_bytes)
    values (${origin.organization_id}, ${added_bytes}, 0)
    on conflict (organization_id) do update set file_bytes = t.file_bytes + excluded.file_bytes`),
  )
}

/** Net stored bytes of an organization, or of some of its assets, by path. */
export async function listStoredBytesByPath(
  db: SqlStatementRunner,
  organization: string,
  assets: readonly string[] | null = null,
): Promise<StoredBytes[]> {
  const assetFilter = assets === null ? sql.empty : sql`and asset_id = any(${assets}::uuid[])`
  return db.query<StoredBytes>(sql`
    select asset_id, object_path, sum(bytes_delta)::bigint as bytes
    from storage_journal
    where organization_id = ${organization} ${assetFilter}
    group by asset_id, object_path
    having sum(bytes_delta) <> 0
    order by object_path, asset_id`)
}

/** Stored bytes of an organization. */
export interface StorageTotals {
  /** The sum of its storage journal. */
  readonly file_bytes: number
  /** Size of the metadata and geometries of its items. */
  readonly metadata_bytes: number
}

/** Totals that `writeItemCounts` updates for the bytes of metadata, and `insertStorageJournalEntries` for those of files. */
export async function findStorageTotals(db: SqlStatementRunner, organization: string): Promise<StorageTotals> {
  const [row] = await db.query<StorageTotals>(sql`
    select file_bytes, metadata_bytes from storage_totals where organization_id = ${organization}`)
  return row ?? { file_bytes: 0, metadata_bytes: 0 }
}

/** The storage that the upload sessions of an organization reserve: for announced files, or for what their URLs can write. */
export async function sumReservedBytes(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(greatest(reserved_bytes, addressed_bytes)), 0)::bigint as bytes from uploads
    where organization_id = ${organization} and (reserved_bytes > 0 or addressed_bytes > 0)`)
  return row?.bytes ?? 0
}
