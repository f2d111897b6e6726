import Type, { type Static } from 'typebox'
import { Area } from './geojson.ts'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const alertComparisons = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq', 'between', 'outside'] as const
export type AlertComparisonName = (typeof alertComparisons)[number]

/** Symbols that the input accepts for comparisons. */
export const alertComparisonSymbols = {
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '=': 'eq',
  '==': 'eq',
  '!=': 'neq',
} as const satisfies Readonly<Record<string, AlertComparisonName>>

export const alertChannels = ['in_app', 'webhook', 'email'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** Statistics of the values of an expression over the pixels of an item, or over those in an area. */
export const alertStatisticNames = ['mean', 'median', 'min', 'max', 'std', 'p5', 'p95', 'valid_percent'] as const
export type AlertStatisticName = (typeof alertStatisticNames)[number]

/** Kinds of events that cause an evaluation. */
export const alertEventTypes = ['item.created', 'item.updated'] as const

export const AlertComparison = Type.Enum([...alertComparisons], {
  description: 'How the value is compared with the threshold.',
})
export const AlertComparisonInput = Type.Enum([...alertComparisons, ...Object.keys(alertComparisonSymbols)], {
  description:
    'How the value is compared with the threshold: a word such as `gt`, or a symbol such as `>`, which is stored as its word.',
})
export const AlertChannels = Type.Array(Type.Enum([...alertChannels]), {
  maxItems: alertChannels.length,
  description:
    'Channels to notify: `in_app` and `email` for those who may read the project of the item, `webhook` for the event subscriptions of `alert.triggered`.',
})

export const AlertStatisticSchema = Type.Enum([...alertStatisticNames], {
  description:
    'Which statistic of the values is compared: of all valid pixels of the item, or of those in `aoi`. `valid_percent` is the share of valid pixels.',
})

export const AlertHysteresis = Type.Number({
  minimum: 0,
  description:
    'After a trigger, the value has to return beyond the threshold by this much before the rule triggers again. Null: every value that satisfies the comparison triggers. Not for `eq` and `neq`.',
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
  project_id: Nullable(Uuid, {
    description: 'The project whose items it evaluates; null for those of every project that its creator may read.',
  }),
  collection_id: Nullable(Uuid),
  event_types: Type.Array(Type.String()),
  expression: Type.String(),
  statistic: AlertStatisticSchema,
  aoi: Nullable(Area),
  comparison: AlertComparison,
  threshold: Type.Number(),
  threshold_upper: Nullable(Type.Number()),
  hysteresis: Nullable(Type.Number()),
  asset_key: Type.String(),
  band_mapping: BandMapping,
  notification_channels: AlertChannels,
  active: Type.Boolean(),
  cooldown_minutes: Type.Integer({ minimum: 0 }),
  is_armed: Type.Boolean({
    description: 'False while the value has not returned beyond the threshold by `hysteresis`.',
  }),
  last_triggered_at: Nullable(Timestamp),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const ImageUrl = Type.String({
  description: 'URL of an image of the item; as any call, it needs a token of somebody who may read the item.',
})

/** One trigger of an alert rule. */
export const AlertEvent = Type.Object({
  id: Uuid,
  rule_id: Uuid,
  item_id: Nullable(Uuid),
  project_id: Uuid,
  event_type: Type.String(),
  expression: Type.String(),
  statistic: AlertStatisticSchema,
  computed_value: Type.Number(),
  threshold: Type.Number(),
  threshold_upper: Nullable(Type.Number()),
  comparison: AlertComparison,
  picture_url: Nullable(ImageUrl),
  previous_item_id: Nullable(Uuid, {
    description: 'The item before it: the latest earlier acquisition of the same place among the items of the rule.',
  }),
  previous_picture_url: Nullable(ImageUrl),
  acknowledged: Type.Boolean(),
  acknowledged_by: Nullable(Type.String()),
  acknowledged_at: Nullable(Timestamp),
  created_at: Timestamp,
})

export const backtestOutcomes = ['triggered', 'cooldown', 'not_rearmed', 'not_satisfied', 'not_measured'] as const

/** The value of one past item, and what the rule would have done. */
export const BacktestResult = Type.Object({
  item_id: Uuid,
  datetime: Nullable(Timestamp),
  computed_value: Nullable(Type.Number()),
  outcome: Type.Enum([...backtestOutcomes], {
    description:
      '`triggered`; `cooldown` and `not_rearmed`: the comparison was satisfied, but the cooldown or the hysteresis held it back; `not_satisfied`; `not_measured`: `reason` says why.',
  }),
  reason: Nullable(Type.String()),
})

export type AlertRule = Static<typeof AlertRule>
export type AlertEvent = Static<typeof AlertEvent>
export type BacktestResult = Static<typeof BacktestResult>
