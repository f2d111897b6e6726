import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** A change of what documents name; undefined fields are not changed. */
export interface OrganizationDetailsChange {
  readonly name?: string
  readonly country?: string | null
  readonly abn?: string | null
  readonly tax_number?: string | null
  readonly billing_email?: string | null
  readonly billing_address?: object | null
  readonly purchase_order_number?: string | null
}

const changed = (column: Sql, value: string | null | undefined): Sql =>
  sql`case when ${value !== undefined} then ${value ?? null}::text else ${column} end`

export async function updateOrganizationDetails(
  tx: Tx,
  organization: string,
  change: OrganizationDetailsChange,
  now: OrganizationTime,
): Promise<void> {
  const { billing_address } = change
  await tx.query(sql`
    update organizations
    set name = coalesce(${change.name ?? null}::text, name),
        country = ${changed(sql`country`, change.country)},
        abn = ${changed(sql`abn`, change.abn)},
        tax_number = ${changed(sql`tax_number`, change.tax_number)},
        billing_email = ${changed(sql`billing_email`, change.billing_email)},
        purchase_order_number = ${changed(sql`purchase_order_number`, change.purchase_order_number)},
        billing_address = case when ${billing_address !== undefined}
          then ${billing_address ? sql.json(billing_address) : null}::jsonb else billing_address end,
        updated_at = ${now}
    where organization_id = ${organization}`)
}
