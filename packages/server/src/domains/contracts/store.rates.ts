import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export interface NegotiatedRateRow {
  readonly commitment_id: string
  readonly product: string
  readonly unit: string
  /** Decimal text. */
  readonly rate_credits: string
}

/** The rates of commitments that are active at a time; of two for one product, the older commitment's comes first. */
export async function listNegotiatedRates(
  db: Queryable,
  organization: string,
  now: OrganizationTime,
): Promise<NegotiatedRateRow[]> {
  return db.query<NegotiatedRateRow>(sql`
    select c.id as commitment_id, p.product, p.unit, p.rate_credits
    from commitments c
    join commitment_versions v
      on v.organization_id = c.organization_id and v.commitment_id = c.id and v.version = c.version
    cross join lateral jsonb_to_recordset(v.products) as p (product text, unit text, rate_credits text)
    where c.organization_id = ${organization} and c.period_start <= ${now} and c.period_end > ${now} and c.closed_at is null
    order by c.period_start, c.created_at, c.id`)
}
