import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import {
  AlertChannels,
  AlertEvent,
  alertEventTypes,
  AlertRule,
  AlertStatisticSchema,
  BacktestResult,
  BandMapping,
  AlertComparison,
  AlertComparisonInput,
  AlertHysteresis,
} from '../schemas/alert-rule.ts'
import { Area } from '../schemas/geojson.ts'
import {
  ClearIfNull,
  Count,
  Datetime,
  WithDefault,
  WithDescription,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Uuid,
} from '../schemas/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.max_name_length })
const Expression = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'Band arithmetic, such as `b4/b3` or `(nir - red) / (nir + red)`; the name of a spectral index, such as `ndvi`, stands for its formula.',
})
const EventTypes = Type.Array(Type.Enum([...alertEventTypes]), {
  minItems: 1,
  maxItems: alertEventTypes.length,
  description:
    'Event types that cause an evaluation of the rule; default `item.created`. `item.updated` evaluates items that could not be measured before, such as those whose file came later.',
})
const Upper = Type.Number({ description: 'Upper bound for `between` and `outside`.' })
const AssetKey = Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset to evaluate.' })
const Cooldown = Type.Integer({
  minimum: 0,
  maximum: 525_600,
  description: 'Minutes after a trigger in which the rule does not trigger again.',
})
const AlertArea = WithDescription(
  'GeoJSON Polygon or MultiPolygon: only items that intersect it are evaluated, and only their pixels in it.',
  Area,
)
const LongText = Type.String({ maxLength: limits.max_text_length })
const description = OptionalNullable(LongText)

export const alertsCreateRuleOperation = operation({
  id: 'alerts.create_rule',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Create an alert rule on the pixel values of new items.',
  body_limit_bytes: null,
  input: StrictObject({
    name: Name,
    description,
    project_id: WithDescription(
      'Only for items of this project; default the project of the collection, else every project that the caller may read.',
      OptionalNullable(Uuid),
    ),
    collection_id: WithDescription('Only for items of this collection.', OptionalNullable(Uuid)),
    event_types: Type.Optional(EventTypes),
    expression: Expression,
    statistic: WithDefault(AlertStatisticSchema, 'mean'),
    aoi: OptionalNullable(AlertArea),
    comparison: AlertComparisonInput,
    threshold: Type.Number(),
    threshold_upper: OptionalNullable(Upper),
    hysteresis: OptionalNullable(AlertHysteresis),
    asset_key: WithDefault(AssetKey, 'data'),
    band_mapping: Type.Optional(BandMapping),
    notification_channels: Type.Optional(AlertChannels),
    cooldown_minutes: WithDefault(Cooldown, 60),
  }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found', 'not-a-member', 'invalid-state', 'quota-exceeded'],
})

export const alertsUpdateRuleOperation = operation({
  id: 'alerts.update_rule',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Update an alert rule; absent fields keep their values.',
  body_limit_bytes: null,
  input: StrictObject({
    rule_id: Uuid,
    name: KeepIfNull(Name),
    description: ClearIfNull(LongText),
    collection_id: ClearIfNull(Uuid, 'Null applies the rule to the items of every collection.'),
    event_types: KeepIfNull(EventTypes),
    expression: KeepIfNull(Expression),
    statistic: KeepIfNull(AlertStatisticSchema),
    aoi: ClearIfNull(AlertArea, 'Null measures whole items.'),
    comparison: KeepIfNull(AlertComparisonInput),
    threshold: KeepIfNull(Type.Number()),
    threshold_upper: ClearIfNull(Upper),
    hysteresis: ClearIfNull(AlertHysteresis),
    asset_key: KeepIfNull(AssetKey),
    band_mapping: Type.Optional(BandMapping),
    notification_channels: KeepIfNull(AlertChannels),
    active: KeepIfNull(Type.Boolean()),
    cooldown_minutes: KeepIfNull(Cooldown),
  }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found', 'not-a-member', 'forbidden', 'invalid-state'],
})

export const alertsDeleteRuleOperation = operation({
  id: 'alerts.delete_rule',
  scope: 'alerts:write',
  effect: 'destructive',
  summary: 'Delete an alert rule; its alert events are kept.',
  input: StrictObject({ rule_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found', 'not-a-member', 'forbidden', 'invalid-state'],
})

export const alertsRuleGetOperation = operation({
  id: 'alerts.rule.get',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'Read an alert rule.',
  input: StrictObject({ rule_id: Uuid }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found', 'not-a-member'],
})

export const alertsRulesListOperation = operation({
  id: 'alerts.rules.list',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'List the alert rules of the organization.',
  input: StrictObject({ active: OptionalNullable(Type.Boolean()), collection_id: OptionalNullable(Uuid) }),
  output: ListEnvelope('alert_rules', AlertRule),
  problems: ['not-found', 'not-a-member'],
})

export const alertsTestRuleOperation = operation({
  id: 'alerts.test_rule',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'Evaluate an alert rule on one item and return whether it would trigger; nothing is stored.',
  input: StrictObject({ rule_id: Uuid, item_id: Uuid }),
  output: Type.Object({
    computed_value: Type.Number(),
    threshold: Type.Number(),
    comparison: AlertComparison,
    would_trigger: Type.Boolean(),
    expression: Type.String(),
    item_id: Uuid,
  }),
  problems: ['not-found', 'not-a-member', 'gone-retention', 'unsupported-raster', 'budget-exceeded', 'upstream'],
})

export const alertsEventsListOperation = operation({
  id: 'alerts.events.list',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'List alert events, newest first.',
  input: StrictObject({
    rule_id: OptionalNullable(Uuid),
    acknowledged: OptionalNullable(Type.Boolean()),
    ...offsetPaging(),
  }),
  output: ListEnvelope('alert_events', AlertEvent),
  paging: 'offset',
  problems: ['not-found', 'not-a-member'],
})

export const alertsAcknowledgeEventOperation = operation({
  id: 'alerts.acknowledge_event',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Acknowledge an alert event.',
  input: StrictObject({ event_id: Uuid }),
  output: Type.Object({ alert_event: AlertEvent }),
  problems: ['not-found', 'not-a-member'],
  emits: ['alert.acknowledged'],
})

export const alertsBacktestRuleOperation = operation({
  id: 'alerts.backtest_rule',
  scope: 'alerts:read',
  effect: 'compute',
  summary: 'Evaluate an alert rule on past items, newest first up to a limit; nothing is stored.',
  input: StrictObject({
    rule_id: Uuid,
    datetime: WithDescription(
      'Only items acquired in this interval; to continue with older items, end it at the first `datetime` of the results.',
      OptionalNullable(Datetime),
    ),
    limit: WithDefault(
      Type.Integer({
        minimum: limits.backtest_limit.minimum,
        maximum: limits.backtest_limit.maximum,
        description: 'How many items are evaluated at most: the newest.',
      }),
      limits.backtest_limit.default,
    ),
  }),
  output: Type.Object({
    rule_id: Uuid,
    results: Type.Array(BacktestResult, { description: 'In the order of acquisition, oldest first.' }),
    evaluated_count: Count,
    triggered_count: Count,
    truncated: Type.Boolean({
      description: 'Older items of the interval were not evaluated: the limit or the time of one call was reached.',
    }),
  }),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})
