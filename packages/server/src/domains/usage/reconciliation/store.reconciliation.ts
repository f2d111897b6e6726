import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'

export interface ReconciliationRunRow {
  readonly id: string
  readonly organization_id: string
  readonly threshold_bytes: number
  readonly journal_bytes: number
  readonly stored_bytes: number
  readonly drift_bytes: number
  readonly flagged: boolean
  readonly started_at: Date
  readonly finished_at: Date
}

export interface StorageCorrectionRow {
  /** The id of the journal row. */
  readonly id: string
  readonly organization_id: string
  readonly asset_id: string | null
  readonly bytes_delta: number
  readonly reason: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly created_at: Date
}

export async function insertReconciliationRun(db: Queryable, run: ReconciliationRunRow): Promise<void> {
  await db.query(sql`
    insert into reconciliation_runs (organization_id, id, threshold_bytes, journal_bytes, stored_bytes, drift_bytes,
                                     flagged, started_at, finished_at)
    values (${run.organization_id}, ${run.id}, ${run.threshold_bytes}, ${run.journal_bytes}, ${run.stored_bytes},
            ${run.drift_bytes}, ${run.flagged}, ${run.started_at}, ${run.finished_at})`)
}

/** Corrections of one organization. */
export async function insertStorageCorrections(
  tx: Tx,
  organization: string,
  rows: readonly StorageCorrectionRow[],
): Promise<void> {
  await tx.query(sql`
    insert into storage_corrections (organization_id, id, asset_id, bytes_delta, reason, actor_kind, actor_id, created_at)
    select ${organization}::uuid, id, asset_id, bytes_delta, reason, actor_kind, actor_id, created_at
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.asset_id)}::uuid[],
                ${rows.map((row) => row.bytes_delta)}::bigint[], ${rows.map((row) => row.reason)}::text[],
                ${rows.map((row) => row.actor_kind)}::text[], ${rows.map((row) => row.actor_id)}::text[],
                ${rows.map((row) => row.created_at)}::timestamptz[])
      as correction (id, asset_id, bytes_delta, reason, actor_kind, actor_id, created_at)`)
}

/** Null selects all organizations and needs the unscoped connection. */
const organizationFilter = (organization: string | null): Sql =>
  organization === null ? sql`true` : sql`organization_id = ${organization}`

export interface ReconciliationRunFilter {
  /** Null for all. */
  readonly organization: string | null
  readonly flagged_only: boolean
  readonly limit: number
}

export async function selectReconciliationRuns(
  unscoped: Queryable,
  filter: ReconciliationRunFilter,
): Promise<{ rows: ReconciliationRunRow[]; total: number }> {
  const where = sql`where ${organizationFilter(filter.organization)} and (flagged or not ${filter.flagged_only}::boolean)`
  const rows = await unscoped.query<ReconciliationRunRow>(sql`
    select id, organization_id, threshold_bytes, journal_bytes, stored_bytes, drift_bytes, flagged, started_at, finished_at
    from reconciliation_runs ${where}
    order by started_at desc, id desc
    limit ${filter.limit}`)
  const [count] = await unscoped.query<{ total: number }>(
    sql`select count(*) as total from reconciliation_runs ${where}`,
  )
  return { rows, total: count?.total ?? 0 }
}

export async function selectStorageCorrections(
  unscoped: Queryable,
  filter: { readonly organization: string | null; readonly limit: number },
): Promise<{ rows: StorageCorrectionRow[]; total: number }> {
  const where = sql`where ${organizationFilter(filter.organization)}`
  const rows = await unscoped.query<StorageCorrectionRow>(sql`
    select id, organization_id, asset_id, bytes_delta, reason, actor_kind, actor_id, created_at
    from storage_corrections ${where}
    order by created_at desc, id desc
    limit ${filter.limit}`)
  const [count] = await unscoped.query<{ total: number }>(
    sql`select count(*) as total from storage_corrections ${where}`,
  )
  return { rows, total: count?.total ?? 0 }
}
