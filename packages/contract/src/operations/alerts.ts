import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { AlertChannels, AlertEvent, AlertRule, BandMapping, Comparison } from '../schemas/alert-rule.ts'
import {
  ClearIfNull,
  WithDefault,
  WithDescription,
  StrictObject,
  KeepIfNull,
  OptionalNullable,
  Uuid,
} from '../schemas/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.max_name_length })
const Expression = Type.String({ minLength: 1, maxLength: 2000, description: 'Band arithmetic, such as `b4/b3`.' })
const EventTypes = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: 50,
  description: 'Event types that cause an evaluation of the rule, such as `item.created`.',
})
const Upper = Type.Number({ description: 'Upper bound for `between` and `outside`.' })
const AssetKey = Type.String({ minLength: 1, maxLength: 200, description: 'Key of the asset to evaluate.' })
const Cooldown = Type.Integer({
  minimum: 0,
  maximum: 525_600,
  description: 'Minutes after a trigger in which the rule does not trigger again.',
})
const LongText = Type.String({ maxLength: limits.max_text_length })
const description = OptionalNullable(LongText)

export const alertsCreateRuleOperation = operation({
  id: 'alerts.create_rule',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Create an alert rule on the pixel values of new items.',
  input: StrictObject({
    name: Name,
    description,
    collection_id: WithDescription('Only for items of this collection.', OptionalNullable(Uuid)),
    event_types: Type.Optional(EventTypes),
    expression: Expression,
    comparison: Comparison,
    threshold: Type.Number(),
    threshold_upper: OptionalNullable(Upper),
    asset_key: WithDefault(AssetKey, 'data'),
    band_mapping: Type.Optional(BandMapping),
    notification_channels: Type.Optional(AlertChannels),
    cooldown_minutes: WithDefault(Cooldown, 60),
  }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found'],
})

export const alertsUpdateRuleOperation = operation({
  id: 'alerts.update_rule',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Update an alert rule; absent fields keep their values.',
  input: StrictObject({
    rule_id: Uuid,
    name: KeepIfNull(Name),
    description: ClearIfNull(LongText),
    collection_id: ClearIfNull(Uuid, 'Null applies the rule to the items of every collection.'),
    event_types: KeepIfNull(EventTypes),
    expression: KeepIfNull(Expression),
    comparison: KeepIfNull(Comparison),
    threshold: KeepIfNull(Type.Number()),
    threshold_upper: ClearIfNull(Upper),
    asset_key: KeepIfNull(AssetKey),
    band_mapping: Type.Optional(BandMapping),
    notification_channels: KeepIfNull(AlertChannels),
    active: KeepIfNull(Type.Boolean()),
    cooldown_minutes: KeepIfNull(Cooldown),
  }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found'],
})

export const alertsDeleteRuleOperation = operation({
  id: 'alerts.delete_rule',
  scope: 'alerts:write',
  effect: 'destructive',
  summary: 'Delete an alert rule; its alert events are kept.',
  input: StrictObject({ rule_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found'],
})

export const alertsRuleGetOperation = operation({
  id: 'alerts.rule.get',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'Read an alert rule.',
  input: StrictObject({ rule_id: Uuid }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found'],
})

export const alertsRulesListOperation = operation({
  id: 'alerts.rules.list',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'List the alert rules of the organization.',
  input: StrictObject({ active: OptionalNullable(Type.Boolean()), collection_id: OptionalNullable(Uuid) }),
  output: List('alert_rules', AlertRule),
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
    comparison: Comparison,
    would_trigger: Type.Boolean(),
    expression: Type.String(),
    item_id: Uuid,
  }),
  problems: ['not-found', 'not-a-member', 'gone-retention', 'unsupported-raster', 'budget-exceeded'],
})

export const alertsEventsListOperation = operation({
  id: 'alerts.events.list',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'List alert events, newest first.',
  input: StrictObject({
    rule_id: OptionalNullable(Uuid),
    acknowledged: OptionalNullable(Type.Boolean()),
    ...offsetPaging(limits.short_offset_limit),
  }),
  output: List('alert_events', AlertEvent),
  paging: 'offset',
})

export const alertsAcknowledgeEventOperation = operation({
  id: 'alerts.acknowledge_event',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Acknowledge an alert event.',
  input: StrictObject({ event_id: Uuid }),
  output: Type.Object({ alert_event: AlertEvent }),
  problems: ['not-found'],
})
