import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { ProductChanges } from './product-terms.ts'
import {
  markCommercialTermsVersionDecided,
  newestVersionFirst,
  findNextCommercialTermsVersion,
  productVersionColumns,
  commercialTermsVersionsCondition,
  type CommercialTermsVersionDecision,
  type CommercialTermsVersionFilter,
  type CommercialTermsVersionRow,
} from './store.decisions.ts'

/** One version of the terms of a data product. */
export interface ProductVersionRow extends CommercialTermsVersionRow {
  readonly changes: ProductChanges
  /** True if another operator than the one who requested it decides it. */
  readonly needs_approval: boolean
}

const columns = sql`${productVersionColumns}, changes, needs_approval`

/** Writes the next version of a product. */
export async function insertProductVersion(
  tx: Tx,
  row: Omit<ProductVersionRow, 'version'>,
): Promise<ProductVersionRow> {
  const version = await findNextCommercialTermsVersion(tx, 'product_versions', row.product)
  const [inserted] = await tx.query<ProductVersionRow>(sql`
    insert into product_versions (id, product, version, changes, needs_approval, effective_from, reason, status, requested_by,
                                  requested_at, decided_by, decided_at, decision_reason)
    values (${row.id}, ${row.product}, ${version}, ${sql.json(row.changes)}, ${row.needs_approval}, ${row.effective_from},
            ${row.reason}, ${row.status}, ${row.requested_by}, ${row.requested_at}, ${row.decided_by}, ${row.decided_at},
            ${row.decision_reason})
    returning ${columns}`)
  return inserted!
}

export async function findProductVersion(db: SqlStatementRunner, id: string): Promise<ProductVersionRow | null> {
  const [row] = await db.query<ProductVersionRow>(sql`select ${columns} from product_versions where id = ${id}`)
  return row ?? null
}

/** Null, with nothing written, if it is not pending any more. */
export const markProductVersionDecided = (
  tx: Tx,
  id: string,
  decision: CommercialTermsVersionDecision,
): Promise<ProductVersionRow | null> =>
  markCommercialTermsVersionDecided(tx, { table: 'product_versions', columns }, id, decision)

/** Versions of all products or of one, newest first. */
export const listProductVersions = (
  db: SqlStatementRunner,
  filter: CommercialTermsVersionFilter,
): Promise<RowPage<ProductVersionRow>> =>
  selectPage<ProductVersionRow>(db, {
    columns,
    from: sql`product_versions`,
    where: commercialTermsVersionsCondition(filter),
    orderBy: newestVersionFirst,
    limit: filter.limit,
    offset: filter.offset,
  })

/** Selects the approved versions that have taken effect at a time. */
export const effectiveProductVersionsSql = (at: Date): Sql => sql`
  select product, version, changes, effective_from from product_versions
  where status = 'approved' and effective_from <= ${at}`

/** The approved versions that have taken effect at a time, in that order. */
export const listEffectiveProductVersions = (
  db: SqlStatementRunner,
  at: Date,
): Promise<Pick<ProductVersionRow, 'product' | 'version' | 'changes'>[]> =>
  db.query(sql`${effectiveProductVersionsSql(at)} order by effective_from, version`)

/** The time when the next approved version of each product takes effect, for products that have one. */
export const listNextEffectiveDates = (
  db: SqlStatementRunner,
  at: Date,
): Promise<{ readonly product: string; readonly effective_from: Date }[]> =>
  db.query(sql`
    select product, min(effective_from) as effective_from from product_versions
    where status = 'approved' and effective_from > ${at} group by product`)
