import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import { sql } from '../../platform/database/sql.ts'
import { itemInAreaCondition } from './store.items.ts'
import { alertRuleColumns, type AlertRuleRow } from './store.ts'

/** The rule acts for who created it, who may read the project of the item; the platform may read every one. */
const isReadableByCreator = (now: OrganizationTime) => {
  const rule = { organization: sql`i.organization_id`, creator: sql`r.created_by`, project: sql`i.project_id` }
  return sql`${delegationStopReasonSql(rule, now)} is null`
}

/** The item is one of those that the rule is about, in space as well. */
const matchesRule = sql`
  (r.project_id is null or r.project_id = i.project_id)
  and (r.collection_id is null or r.collection_id = i.collection_id)
  and ${itemInAreaCondition(sql`r.aoi`)}`

/**
 * Adds a pending evaluation of the item for each active rule that it matches. An item that a rule has not been able to measure
 * is evaluated again, any other only once. Returns how many are pending because of it.
 */
export async function insertAlertEvaluations(
  tx: Tx,
  {
    organization,
    item,
    event_type,
    now,
  }: {
    readonly organization: string
    readonly item: string
    readonly event_type: string
    readonly now: OrganizationTime
  },
): Promise<number> {
  const rows = await tx.query(
    sql.prepared(sql`
    insert into alert_evaluations as e (organization_id, rule_id, item_id, event_type, state, created_at)
    select i.organization_id, r.id, i.id, ${event_type}, 'pending', ${now}::timestamptz
    from alert_rules r
    join items i on i.organization_id = r.organization_id and i.id = ${item}
    where r.organization_id = ${organization} and r.active and ${event_type}::text = any(r.event_types)
      and ${matchesRule} and ${isReadableByCreator(now)}
    on conflict (organization_id, rule_id, item_id) do update
      set state = 'pending', event_type = excluded.event_type, reason = null, evaluated_at = null
      where e.state = 'skipped'
    returning e.rule_id`),
  )
  return rows.length
}

export interface PendingAlertEvaluation {
  readonly rule: AlertRuleRow
  readonly event_type: string
}

/** The pending evaluations of an item with their rules, the oldest rule first. */
export async function listPendingAlertEvaluations(
  db: SqlStatementRunner,
  organization: string,
  item: string,
): Promise<PendingAlertEvaluation[]> {
  const rows = await db.query<AlertRuleRow & { evaluated_event_type: string }>(sql`
    select ${alertRuleColumns}, e.event_type as evaluated_event_type
    from alert_evaluations e
    join alert_rules r on r.organization_id = e.organization_id and r.id = e.rule_id
    where e.organization_id = ${organization} and e.item_id = ${item} and e.state = 'pending'
    order by r.created_at, r.id`)
  return rows.map(({ evaluated_event_type, ...rule }) => ({ rule, event_type: evaluated_event_type }))
}

interface EvaluationKey {
  readonly organization: string
  readonly rule: string
  readonly item: string
}

/** Records the value; false if the evaluation is not pending any more, because another run has recorded it. */
export async function markAlertEvaluationMeasured(
  tx: Tx,
  { organization, rule, item }: EvaluationKey,
  { value, outcome, now }: { readonly value: number; readonly outcome: string; readonly now: OrganizationTime },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update alert_evaluations set state = 'measured', value = ${value}, outcome = ${outcome}, evaluated_at = ${now}
    where organization_id = ${organization} and rule_id = ${rule} and item_id = ${item} and state = 'pending'
    returning rule_id`)
  return rows.length > 0
}

/** Records why nothing was measured. */
export async function markAlertEvaluationSkipped(
  db: SqlStatementRunner,
  { organization, rule, item }: EvaluationKey,
  { reason, now }: { readonly reason: string; readonly now: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update alert_evaluations set state = 'skipped', reason = ${reason}, evaluated_at = ${now}
    where organization_id = ${organization} and rule_id = ${rule} and item_id = ${item} and state = 'pending'`)
}
