import type { CatalogSearchFilters } from '@swath/contract/schemas/catalog.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../../platform/database/named-lock.ts'
import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import { delegationStopReasonSql } from '../../../platform/database/statements/creator-condition.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../../platform/sandbox/due-rows.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface SavedSearchRow {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly source_ids: readonly string[] | null
  readonly filters: CatalogSearchFilters
  readonly notify: boolean
  readonly created_by: string
  readonly created_at: Date
  readonly last_matched_at: Date | null
  readonly next_run_at: Date | null
}

const columns = sql`
  id, project_id, name, source_ids, filters, notify, created_by, created_at, last_matched_at, next_run_at`

/** Violates the unique index of names if the project has a search with this name. */
export async function insertSavedSearch(tx: Tx, organization: string, row: SavedSearchRow): Promise<void> {
  await tx.query(sql`
    insert into saved_searches
      (organization_id, id, project_id, name, source_ids, filters, notify, created_by, created_at, next_run_at)
    values (${organization}, ${row.id}, ${row.project_id}, ${row.name}, ${row.source_ids}::text[],
            ${sql.json(row.filters)}, ${row.notify}, ${row.created_by}, ${row.created_at}, ${row.next_run_at})`)
}

/** The search; with `lock` its row is locked until the transaction ends. */
export async function findSavedSearch(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  lock = false,
): Promise<SavedSearchRow | null> {
  const [row] = await db.query<SavedSearchRow>(sql`
    select ${columns} from saved_searches where organization_id = ${organization} and id = ${id}
    ${lock ? sql`for update` : sql.empty}`)
  return row ?? null
}

/** The reason why the search does not act for its creator any more; null while it does. */
export async function findSavedSearchStopReason(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<DelegationStopReason | null> {
  const search = { organization: sql`s.organization_id`, creator: sql`s.created_by`, project: sql`s.project_id` }
  const [row] = await db.query<{ stop_reason: DelegationStopReason | null }>(sql`
    select ${delegationStopReasonSql(search, now)} as stop_reason from saved_searches s
    where s.organization_id = ${organization} and s.id = ${id}`)
  return row?.stop_reason ?? null
}

/** Newest first. */
export const listSavedSearches = (
  db: SqlStatementRunner,
  {
    organization,
    projects,
    limit,
    offset,
  }: {
    readonly organization: string
    readonly projects: readonly string[]
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<SavedSearchRow>> =>
  selectPage(db, {
    columns,
    from: sql`saved_searches`,
    where: sql`organization_id = ${organization} and project_id = any(${projects}::uuid[])`,
    orderBy: sql`created_at desc, id desc`,
    limit,
    offset,
  })

/** Other transactions that count wait until this one ends, so that two creations at once do not pass the limit. */
export async function lockAndCountSavedSearches(tx: Tx, organization: string): Promise<number> {
  await acquireAdvisoryLock(tx, `saved searches of ${organization}`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from saved_searches where organization_id = ${organization}`)
  return Number(row?.count ?? 0)
}

/** False if it did not exist. */
export async function deleteSavedSearch(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from saved_searches where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length > 0
}

export async function updateSavedSearchNextRun(
  db: SqlStatementRunner,
  { organization, id, at }: { readonly organization: string; readonly id: string; readonly at: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update saved_searches set next_run_at = ${at}
    where organization_id = ${organization} and id = ${id} and next_run_at is not null`)
}

export async function updateSavedSearchLastMatch(
  tx: Tx,
  organization: string,
  id: string,
  at: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update saved_searches set last_matched_at = ${at} where organization_id = ${organization} and id = ${id}`)
}

export async function listDueSavedSearches(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from saved_searches
    where organization_id = ${organization} and next_run_at <= ${now}
    order by next_run_at, id`)
  return rows.map(({ id }) => id)
}

/** The rows of saved searches that are due to run. */
export const dueSavedSearchRows = (organization: string): DueRowsQuery => ({
  from: sql`saved_searches`,
  where: sql`organization_id = ${organization}`,
  at: sql`next_run_at`,
})
