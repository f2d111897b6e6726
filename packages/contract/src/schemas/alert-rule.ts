import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const comparisons = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq', 'between', 'outside'] as const
export const alertChannels = ['in_app', 'webhook', 'email'] as const

export const Comparison = Type.Enum([...comparisons], { description: 'How the value is compared with the threshold.' })
export const AlertChannels = Type.Array(Type.Enum([...alertChannels]), {
  maxItems: alertChannels.length,
  description: 'Channels to notify.',
})

export const BandMapping = Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
  description: 'Band names in the expression to band numbers, such as `{"red": 3}`.',
})

/** A condition on the pixels of new items. */
export const AlertRule = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  collection_id: Nullable(Uuid),
  event_types: Type.Array(Type.String()),
  expression: Type.String(),
  comparison: Comparison,
  threshold: Type.Number(),
  threshold_upper: Nullable(Type.Number()),
  asset_key: Type.String(),
  band_mapping: BandMapping,
  notification_channels: AlertChannels,
  active: Type.Boolean(),
  cooldown_minutes: Type.Integer({ minimum: 0 }),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** One trigger of an alert rule. */
export const AlertEvent = Type.Object({
  id: Uuid,
  rule_id: Uuid,
  item_id: Nullable(Uuid),
  event_type: Type.String(),
  computed_value: Type.Number(),
  threshold: Type.Number(),
  comparison: Comparison,
  acknowledged: Type.Boolean(),
  acknowledged_by: Nullable(Type.String()),
  acknowledged_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export type AlertRule = Static<typeof AlertRule>
export type AlertEvent = Static<typeof AlertEvent>
