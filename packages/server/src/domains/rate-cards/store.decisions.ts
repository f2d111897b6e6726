import type { Tx } from '../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../platform/database/named-lock.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A version of something for sale, which one operator requests and another one decides. */
export interface CommercialTermsVersionRow {
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

export type CommercialTermsVersionDecision = Pick<
  CommercialTermsVersionRow,
  'status' | 'decided_by' | 'decided_at' | 'decision_reason'
>

/** The fields of a version that its request states. */
export type NewCommercialTermsVersion<Row extends CommercialTermsVersionRow> = Omit<
  Row,
  'version' | keyof CommercialTermsVersionDecision
>

/** Selects versions; null for all. */
export interface CommercialTermsVersionFilter {
  readonly product: string | null
  readonly status: CommercialTermsVersionRow['status'] | null
  readonly limit: number
  readonly offset: number
}

const tables = ['rate_cards', 'product_versions'] as const
export type CommercialTermsVersionTable = (typeof tables)[number]

export const productVersionColumns = sql`id, product, version, effective_from, reason, status, requested_by, requested_at, decided_by,
  decided_at, decision_reason`

/** The number of the next version of a product; another transaction that asks for it waits for the end of this one. */
export async function findNextCommercialTermsVersion(
  tx: Tx,
  table: CommercialTermsVersionTable,
  product: string,
): Promise<number> {
  await acquireAdvisoryLock(tx, `${table} of ${product}`)
  const [last] = await tx.query<{ version: number | null }>(sql`
    select max(version) as version from ${sql.identifier(table, tables)} where product = ${product}`)
  return (last?.version ?? 0) + 1
}

/** The version with its decision; null, with nothing written, if it is not pending any more. */
export async function markCommercialTermsVersionDecided<Row extends CommercialTermsVersionRow>(
  tx: Tx,
  { table, columns }: { readonly table: CommercialTermsVersionTable; readonly columns: Sql },
  id: string,
  decision: CommercialTermsVersionDecision,
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
export const commercialTermsVersionsCondition = ({ product, status }: CommercialTermsVersionFilter): Sql =>
  sql`(${product}::text is null or product = ${product}) and (${status}::text is null or status = ${status})`
export const newestVersionFirst = sql`requested_at desc, id desc`
