import { limits } from '@swath/contract/limits.ts'
import { alertsCreateRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { resolveAlertRuleScope } from '../access.ts'
import { initialTriggerState } from '../condition.ts'
import { requireValidAlertRule, toAlertComparisonName } from '../rule-input.ts'
import { toAlertRule } from '../rule.ts'
import { lockAndCountAlertRules, insertAlertRule, type AlertRuleFields } from '../store.ts'

export const handler = defineHandler(alertsCreateRuleOperation, async (call, input) => {
  const fields: AlertRuleFields = {
    ...(await resolveAlertRuleScope(call, input)),
    name: input.name,
    description: input.description ?? null,
    event_types: input.event_types ?? ['item.created'],
    expression: input.expression,
    statistic: input.statistic,
    aoi: input.aoi ?? null,
    comparison: toAlertComparisonName(input.comparison),
    threshold: input.threshold,
    threshold_upper: input.threshold_upper ?? null,
    hysteresis: input.hysteresis ?? null,
    asset_key: input.asset_key,
    band_mapping: input.band_mapping ?? {},
    notification_channels: input.notification_channels ?? ['in_app'],
    active: true,
    cooldown_minutes: input.cooldown_minutes,
  }
  requireValidAlertRule(fields)
  const now = call.clock.now()
  const row = {
    ...fields,
    ...initialTriggerState,
    organization_id: call.organization,
    id: newId(),
    created_by: call.principal.id,
    user_id: call.principal.user,
    created_at: now,
    updated_at: now,
  }
  await call.transaction(async (tx) => {
    if (row.project_id !== null) await lockOpenProject(tx, call, row.project_id)
    if ((await lockAndCountAlertRules(tx, call.organization)) >= limits.max_alert_rules) throw tooManyRules()
    await insertAlertRule(tx, row)
  })
  return { alert_rule: toAlertRule(row) }
})

const tooManyRules = (): Problem =>
  new Problem('quota-exceeded', `The organization has ${limits.max_alert_rules} alert rules; delete one first.`)
