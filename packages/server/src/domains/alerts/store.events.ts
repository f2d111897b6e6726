import type { AlertStatisticName, AlertComparisonName } from '@swath/contract/schemas/alert-rule.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface AlertEventRow {
  readonly organization_id: string
  readonly id: string
  readonly rule_id: string
  readonly item_id: string
  readonly project_id: string
  readonly event_type: string
  readonly expression: string
  readonly statistic: AlertStatisticName
  readonly asset_key: string
  readonly computed_value: number
  readonly comparison: AlertComparisonName
  readonly threshold: number
  readonly threshold_upper: number | null
  readonly previous_item_id: string | null
  readonly acknowledged_by: string | null
  readonly acknowledged_at: Date | null
  readonly created_at: Date
}

const columns = sql`
  organization_id, id, rule_id, item_id, project_id, event_type, expression, statistic, asset_key, computed_value, comparison,
  threshold, threshold_upper, previous_item_id, acknowledged_by, acknowledged_at, created_at`

export async function insertAlertEvent(tx: Tx, row: AlertEventRow): Promise<void> {
  await tx.query(sql`
    insert into alert_events (${columns})
    values (${row.organization_id}, ${row.id}, ${row.rule_id}, ${row.item_id}, ${row.project_id}, ${row.event_type},
            ${row.expression}, ${row.statistic}, ${row.asset_key}, ${row.computed_value}, ${row.comparison},
            ${row.threshold}, ${row.threshold_upper}, ${row.previous_item_id}, ${row.acknowledged_by},
            ${row.acknowledged_at}, ${row.created_at})`)
}

export async function findAlertEvent(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<AlertEventRow | null> {
  const [row] = await db.query<AlertEventRow>(sql`
    select ${columns} from alert_events where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

export interface AlertEventFilter {
  readonly organization: string
  /** Query of the projects that the caller may read. */
  readonly projects: Sql
  readonly rule_id: string | null
  readonly acknowledged: boolean | null
  readonly limit: number
  readonly offset: number
}

/** Newest first. */
export const listAlertEvents = (
  db: SqlStatementRunner,
  { organization, projects, rule_id, acknowledged, limit, offset }: AlertEventFilter,
): Promise<RowPage<AlertEventRow>> =>
  selectPage<AlertEventRow>(db, {
    columns,
    from: sql`alert_events`,
    where: sql`
      organization_id = ${organization} and project_id in (${projects})
      and (${rule_id}::uuid is null or rule_id = ${rule_id}::uuid)
      and (${acknowledged}::boolean is null or (acknowledged_at is not null) = ${acknowledged}::boolean)`,
    orderBy: sql`created_at desc, id desc`,
    limit,
    offset,
  })

/** Acknowledges the event; null if it is acknowledged already. */
export async function markAlertEventAcknowledged(
  tx: Tx,
  organization: string,
  id: string,
  { by, at }: { readonly by: string; readonly at: OrganizationTime },
): Promise<AlertEventRow | null> {
  const [row] = await tx.query<AlertEventRow>(sql`
    update alert_events set acknowledged_by = ${by}, acknowledged_at = ${at}
    where organization_id = ${organization} and id = ${id} and acknowledged_at is null
    returning ${columns}`)
  return row ?? null
}
