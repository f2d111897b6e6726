import type { AlertChannel, AlertStatisticName, AlertComparisonName } from '@swath/contract/schemas/alert-rule.ts'
import type { Area } from '@swath/contract/schemas/geojson.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../platform/database/named-lock.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

/** The fields of a rule that its authors set. */
export interface AlertRuleFields {
  readonly project_id: string | null
  readonly collection_id: string | null
  readonly name: string
  readonly description: string | null
  readonly event_types: readonly string[]
  readonly expression: string
  readonly statistic: AlertStatisticName
  readonly aoi: Area | null
  readonly comparison: AlertComparisonName
  readonly threshold: number
  readonly threshold_upper: number | null
  readonly hysteresis: number | null
  readonly asset_key: string
  readonly band_mapping: Readonly<Record<string, number>>
  readonly notification_channels: readonly AlertChannel[]
  readonly active: boolean
  readonly cooldown_minutes: number
}

export interface AlertRuleRow extends AlertRuleFields {
  readonly organization_id: string
  readonly id: string
  readonly is_armed: boolean
  readonly last_triggered_at: Date | null
  readonly created_by: string
  /** The user whose projects limit the evaluated items; null for the platform itself. */
  readonly user_id: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** The columns, for a query with the table alias `r`. */
export const alertRuleColumns = sql`
  r.organization_id, r.id, r.project_id, r.collection_id, r.name, r.description, r.event_types, r.expression, r.statistic, r.aoi,
  r.comparison, r.threshold, r.threshold_upper, r.hysteresis, r.asset_key, r.band_mapping, r.notification_channels, r.active,
  r.cooldown_minutes, r.is_armed, r.last_triggered_at, r.created_by, r.user_id, r.created_at, r.updated_at`

export async function insertAlertRule(tx: Tx, row: AlertRuleRow): Promise<void> {
  await tx.query(sql`
    insert into alert_rules
      (organization_id, id, project_id, collection_id, name, description, event_types, expression, statistic, aoi, comparison,
       threshold, threshold_upper, hysteresis, asset_key, band_mapping, notification_channels, active, cooldown_minutes,
       is_armed, last_triggered_at, created_by, user_id, created_at, updated_at)
    values (${row.organization_id}, ${row.id}, ${row.project_id}, ${row.collection_id}, ${row.name}, ${row.description},
            ${[...row.event_types]}::text[], ${row.expression}, ${row.statistic}, ${row.aoi && sql.json(row.aoi)}, ${row.comparison},
            ${row.threshold}, ${row.threshold_upper}, ${row.hysteresis}, ${row.asset_key}, ${sql.json(row.band_mapping)},
            ${[...row.notification_channels]}::text[], ${row.active}, ${row.cooldown_minutes}, ${row.is_armed},
            ${row.last_triggered_at}, ${row.created_by}, ${row.user_id}, ${row.created_at}, ${row.updated_at})`)
}

export async function updateAlertRule(tx: Tx, row: AlertRuleRow): Promise<void> {
  await tx.query(sql`
    update alert_rules set
      project_id = ${row.project_id}, collection_id = ${row.collection_id}, name = ${row.name},
      description = ${row.description}, event_types = ${[...row.event_types]}::text[], expression = ${row.expression},
      statistic = ${row.statistic}, aoi = ${row.aoi && sql.json(row.aoi)}, comparison = ${row.comparison}, threshold = ${row.threshold},
      threshold_upper = ${row.threshold_upper}, hysteresis = ${row.hysteresis}, asset_key = ${row.asset_key},
      band_mapping = ${sql.json(row.band_mapping)}, notification_channels = ${[...row.notification_channels]}::text[],
      active = ${row.active}, cooldown_minutes = ${row.cooldown_minutes}, is_armed = ${row.is_armed},
      updated_at = ${row.updated_at}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** The rule; with `lock` its row is locked until the transaction ends. */
export async function findAlertRule(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  lock = false,
): Promise<AlertRuleRow | null> {
  const [row] = await db.query<AlertRuleRow>(sql`
    select ${alertRuleColumns} from alert_rules r where r.organization_id = ${organization} and r.id = ${id}
    ${lock ? sql`for update` : sql.empty}`)
  return row ?? null
}

export interface AlertRuleFilter {
  readonly organization: string
  /** Query of the projects that the caller may read. */
  readonly projects: Sql
  readonly active: boolean | null
  readonly collection_id: string | null
}

/** The rules without a project and those of these projects, newest first. */
export const listAlertRules = (
  db: SqlStatementRunner,
  { organization, projects, active, collection_id }: AlertRuleFilter,
): Promise<AlertRuleRow[]> =>
  db.query<AlertRuleRow>(sql`
    select ${alertRuleColumns} from alert_rules r
    where r.organization_id = ${organization}
      and (r.project_id is null or r.project_id in (${projects}))
      and (${active}::boolean is null or r.active = ${active}::boolean)
      and (${collection_id}::uuid is null or r.collection_id = ${collection_id}::uuid)
    order by r.created_at desc, r.id desc`)

/** Other transactions that count wait until this one ends, so that two creations at once do not pass the limit. */
export async function lockAndCountAlertRules(tx: Tx, organization: string): Promise<number> {
  await acquireAdvisoryLock(tx, `alert rules of ${organization}`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from alert_rules where organization_id = ${organization}`)
  return row?.count ?? 0
}

/** Deletes the rule and its evaluations; its alert events stay. False if it did not exist. */
export async function deleteAlertRule(tx: Tx, organization: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from alert_rules where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length > 0
}

/** Records what an evaluation has changed of a rule. */
export async function updateAlertRuleState(
  tx: Tx,
  { organization_id, id }: Pick<AlertRuleRow, 'organization_id' | 'id'>,
  state: { readonly is_armed: boolean; readonly last_triggered_at: OrganizationTime | Date | null },
): Promise<void> {
  await tx.query(sql`
    update alert_rules set is_armed = ${state.is_armed}, last_triggered_at = ${state.last_triggered_at}
    where organization_id = ${organization_id} and id = ${id}`)
}
