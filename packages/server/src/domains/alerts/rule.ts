import type { AlertEvent, AlertRule } from '@swath/contract/schemas/alert-rule.ts'
import { buildItemImageUrl } from './item-image-url.ts'
import type { AlertEventRow } from './store.events.ts'
import type { AlertRuleRow } from './store.ts'

/** The representation of a rule. */
export function toAlertRule(row: AlertRuleRow): AlertRule {
  const { user_id: _, ...rule } = row
  return {
    ...rule,
    event_types: [...row.event_types],
    band_mapping: { ...row.band_mapping },
    notification_channels: [...row.notification_channels],
    last_triggered_at: row.last_triggered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The representation of an alert event; its images are URLs below the base. */
export const toAlertEvent = (base: string, row: AlertEventRow): AlertEvent => ({
  id: row.id,
  rule_id: row.rule_id,
  item_id: row.item_id,
  project_id: row.project_id,
  event_type: row.event_type,
  expression: row.expression,
  statistic: row.statistic,
  computed_value: row.computed_value,
  threshold: row.threshold,
  threshold_upper: row.threshold_upper,
  comparison: row.comparison,
  picture_url: buildItemImageUrl(base, row.item_id, row.asset_key),
  previous_item_id: row.previous_item_id,
  previous_picture_url: row.previous_item_id && buildItemImageUrl(base, row.previous_item_id, row.asset_key),
  acknowledged: row.acknowledged_at !== null,
  acknowledged_by: row.acknowledged_by,
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
