import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import { splitIntoBatches, buildValuesList } from '../../../platform/database/statements/values-list.ts'

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

export async function insertReconciliationRun(db: SqlStatementRunner, run: ReconciliationRunRow): Promise<void> {
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
  for (const batch of splitIntoBatches(rows))
    await tx.query(sql`
      insert into storage_corrections (organization_id, id, asset_id, bytes_delta, reason, actor_kind, actor_id, created_at)
      values ${buildValuesList(
        batch,
        (row) => sql`
          (${organization}, ${row.id}, ${row.asset_id}, ${row.bytes_delta}, ${row.reason}, ${row.actor_kind},
           ${row.actor_id}, ${row.created_at})`,
      )}`)
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

export const listReconciliationRuns = (
  unscoped: SqlStatementRunner,
  filter: ReconciliationRunFilter,
): Promise<RowPage<ReconciliationRunRow>> =>
  selectPage(unscoped, {
    columns: sql`id, organization_id, threshold_bytes, journal_bytes, stored_bytes, drift_bytes, flagged, started_at,
      finished_at`,
    from: sql`reconciliation_runs`,
    where: sql`${organizationFilter(filter.organization)} and (flagged or not ${filter.flagged_only}::boolean)`,
    orderBy: sql`started_at desc, id desc`,
    limit: filter.limit,
  })

export const listStorageCorrections = (
  unscoped: SqlStatementRunner,
  filter: { readonly organization: string | null; readonly limit: number },
): Promise<RowPage<StorageCorrectionRow>> =>
  selectPage(unscoped, {
    columns: sql`id, organization_id, asset_id, bytes_delta, reason, actor_kind, actor_id, created_at`,
    from: sql`storage_corrections`,
    where: organizationFilter(filter.organization),
    orderBy: sql`created_at desc, id desc`,
    limit: filter.limit,
  })
