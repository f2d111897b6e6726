import { alertsUpdateRuleOperation } from '@swath/contract/operations/alerts.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { lockAlertRule, requireWritableAlertRule, resolveAlertRuleScope } from '../access.ts'
import { requireValidAlertRule, toAlertComparisonName } from '../rule-input.ts'
import { toAlertRule } from '../rule.ts'
import { updateAlertRule, type AlertRuleRow } from '../store.ts'

type Input = NonNullable<(typeof alertsUpdateRuleOperation)['types']>['input']

export const handler = defineHandler(alertsUpdateRuleOperation, async (call, input) => {
  const { id, project_id } = await requireWritableAlertRule(call, input.rule_id)
  const scope = input.collection_id
    ? await resolveAlertRuleScope(call, { project_id, collection_id: input.collection_id })
    : null
  const row = await call.transaction(async (tx) => {
    const stored = await lockAlertRule(tx, call, id)
    const changed = { ...applyChanges(stored, input), ...scope, updated_at: call.clock.now() }
    requireValidAlertRule(changed)
    await updateAlertRule(tx, changed)
    return changed
  })
  return { alert_rule: toAlertRule(row) }
})

/** `undefined` keeps the stored value, and so does null where the contract says so. */
function applyChanges(stored: AlertRuleRow, input: Input): AlertRuleRow {
  const changed: AlertRuleRow = {
    ...stored,
    name: input.name ?? stored.name,
    description: input.description === undefined ? stored.description : input.description,
    collection_id: input.collection_id === undefined ? stored.collection_id : input.collection_id,
    event_types: input.event_types ?? stored.event_types,
    expression: input.expression ?? stored.expression,
    statistic: input.statistic ?? stored.statistic,
    aoi: input.aoi === undefined ? stored.aoi : input.aoi,
    comparison: input.comparison ? toAlertComparisonName(input.comparison) : stored.comparison,
    threshold: input.threshold ?? stored.threshold,
    threshold_upper: input.threshold_upper === undefined ? stored.threshold_upper : input.threshold_upper,
    hysteresis: input.hysteresis === undefined ? stored.hysteresis : input.hysteresis,
    asset_key: input.asset_key ?? stored.asset_key,
    band_mapping: input.band_mapping ?? stored.band_mapping,
    notification_channels: input.notification_channels ?? stored.notification_channels,
    active: input.active ?? stored.active,
    cooldown_minutes: input.cooldown_minutes ?? stored.cooldown_minutes,
  }
  return { ...changed, is_armed: stored.is_armed || changesCondition(stored, changed) }
}

const conditionFields = [
  'expression',
  'statistic',
  'aoi',
  'comparison',
  'threshold',
  'threshold_upper',
  'hysteresis',
] as const

/** Another condition has not triggered yet: the rule is armed again. */
const changesCondition = (stored: AlertRuleRow, changed: AlertRuleRow): boolean =>
  conditionFields.some((field) => JSON.stringify(stored[field]) !== JSON.stringify(changed[field]))
