import type { Tx } from '../../platform/database/database.ts'
import { lockByName } from '../../platform/database/named-lock.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A version of something for sale, which one operator requests and another one decides. */
export interface TermsVersionRow {
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

export type TermsVersionDecision = Pick<TermsVersionRow, 'status' | 'decided_by' | 'decided_at' | 'decision_reason'>

/** The fields of a version that its request states. */
export type NewTermsVersion<Row extends TermsVersionRow> = Omit<Row, 'version' | keyof TermsVersionDecision>

/** Selects versions; null for all. */
export interface TermsVersionFilter {
  readonly product: string | null
  readonly status: TermsVersionRow['status'] | null
  readonly limit: number
  readonly offset: number
}

const tables = ['rate_cards', 'product_versions'] as const
export type TermsVersionTable = (typeof tables)[number]

export const productVersionColumns = sql`id, product, version, effective_from, reason, status, requested_by, requested_at, decided_by,
  decided_at, decision_reason`

/** The number of the next version of a product; another transaction that asks for it waits for the end of this one. */
export async function findNextTermsVersion(tx: Tx, table: TermsVersionTable, product: string): Promise<number> {
  await lockByName(tx, `${table} of ${product}`)
  const [last] = await tx.query<{ version: number | null }>(sql`
    select max(version) as version from ${sql.identifier(table, tables)} where product = ${product}`)
  return (last?.version ?? 0) + 1
}

/** The version with its decision; null, with nothing written, if it is not pending any more. */
export async function markTermsVersionDecided<Row extends TermsVersionRow>(
  tx: Tx,
  { table, columns }: { readonly table: TermsVersionTable; readonly columns: Sql },
  id: string,
  decision: TermsVersionDecision,
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
export const termsVersionsCondition = ({ product, status }: TermsVersionFilter): Sql =>
  sql`(${product}::text is null or product = ${product}) and (${status}::text is null or status = ${status})`
export const newestVersionFirst = sql`requested_at desc, id desc`
