import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { ProductChanges } from './product-terms.ts'
import { effectiveProductVersionsSql } from './store.product-versions.ts'
import { rateCardsInForceSql } from './store.ts'

export interface ListRateRow {
  readonly product: string
  readonly rate_credits: number
  /** Null: the minimum that the host declares. */
  readonly minimum_km2: number | null
  /** `YYYY-MM-DD`, UTC. */
  readonly valid_from: string
}

export interface NegotiatedRateRow {
  readonly commitment_id: string
  readonly product: string
  readonly unit: string
  /** Decimal text. */
  readonly rate_credits: string
}

export interface PriceRateRows {
  readonly listed: readonly ListRateRow[]
  /** Rates of active commitments; of two for one product, that of the older commitment is first. */
  readonly negotiated: readonly NegotiatedRateRow[]
  /** The versions of products, in the order in which they took effect. */
  readonly product_versions: readonly {
    readonly product: string
    readonly version: number
    readonly changes: ProductChanges
  }[]
}

/**
 * Rates and terms that replace declared ones for an organization at a time. One statement, since every search needs it.
 */
export async function listPriceRates(
  db: SqlStatementRunner,
  organization: string,
  now: OrganizationTime,
): Promise<PriceRateRows> {
  const [rows] = await db.query<PriceRateRows>(
    sql.prepared(sql`
      with listed as (${rateCardsInForceSql(now)}), effective as (${effectiveProductVersionsSql(now)}), negotiated as (
        select c.id as commitment_id, p.product, p.unit, p.rate_credits, c.period_start, c.created_at
        from commitments c
        join commitment_versions v
          on v.organization_id = c.organization_id and v.commitment_id = c.id and v.version = c.version
        cross join lateral jsonb_to_recordset(v.products) as p (product text, unit text, rate_credits text)
        where c.organization_id = ${organization} and c.period_start <= ${now} and c.period_end > ${now}
          and c.closed_at is null)
      select l.rows as listed, n.rows as negotiated, e.rows as product_versions
      from (
        select coalesce(jsonb_agg(jsonb_build_object(
          'product', product, 'rate_credits', rate_credits, 'minimum_km2', minimum_km2,
          'valid_from', to_char(effective_from at time zone 'UTC', 'YYYY-MM-DD'))), '[]') as rows
        from listed) l
      cross join (
        select coalesce(jsonb_agg(jsonb_build_object(
          'commitment_id', commitment_id, 'product', product, 'unit', unit, 'rate_credits', rate_credits)
          order by period_start, created_at, commitment_id), '[]') as rows
        from negotiated) n
      cross join (
        select coalesce(jsonb_agg(jsonb_build_object('product', product, 'version', version, 'changes', changes)
          order by effective_from, version), '[]') as rows
        from effective) e`),
  )
  return rows!
}
