import type { Tx } from '../../platform/database/database.ts'
import { lockByName } from '../../platform/database/named-lock.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A version of something for sale, which one operator requests and another one decides. */
export interface VersionRow {
  readonly id: string
  readonly product: string
  /** Counts the versions of the product from 1. */
  readonly version: number
  readonly effective_from: Date
  readonly reason: string
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly requested_by: string
  readonly requested_at: Date
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly decision_reason: string | null
}

export type VersionDecision = Pick<VersionRow, 'status' | 'decided_by' | 'decided_at' | 'decision_reason'>

/** The fields of a version that its request states. */
export type NewVersion<Row extends VersionRow> = Omit<Row, 'version' | keyof VersionDecision>

/** Selects versions; null for all. */
export interface VersionFilter {
  readonly product: string | null
  readonly status: VersionRow['status'] | null
  readonly limit: number
  readonly offset: number
}

const tables = ['rate_cards', 'product_versions'] as const
export type VersionTable = (typeof tables)[number]

export const productVersionColumns = sql`id, product, version, effective_from, reason, status, requested_by, requested_at, decided_by,
  decided_at, decision_reason`

/** The number of the next version of a product; another transaction that asks for it waits for the end of this one. */
export async function findNextVersion(tx: Tx, table: VersionTable, product: string): Promise<number> {
  await lockByName(tx, `${table} of ${product}`)
  const [last] = await tx.query<{ version: number | null }>(sql`
    select max(version) as version from ${sql.identifier(table, tables)} where product = ${product}`)
  return (last?.version ?? 0) + 1
}

/** The version with its decision; null, with nothing written, if it is not pending any more. */
export async function markVersionDecided<Row extends VersionRow>(
  tx: Tx,
  { table, columns }: { readonly table: VersionTable; readonly columns: Sql },
  id: string,
  decision: VersionDecision,
): Promise<Row | null> {
  const [row] = await tx.query<Row>(sql`
    update ${sql.identifier(table, tables)}
    set status = ${decision.status}, decided_by = ${decision.decided_by}, decided_at = ${decision.decided_at},
        decision_reason = ${decision.decision_reason}
    where id = ${id} and status = 'pending'
    returning ${columns}`)
  return row ?? null
}

/** The condition and the order of a list of versions, newest first. */
export const versionsWhere = ({ product, status }: VersionFilter): Sql =>
  sql`(${product}::text is null or product = ${product}) and (${status}::text is null or status = ${status})`
export const newestVersionFirst = sql`requested_at desc, id desc`
