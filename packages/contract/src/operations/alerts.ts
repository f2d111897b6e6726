import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { AlertChannels, AlertEvent, AlertRule, BandMapping, Comparison } from '../shapes/alert-rule.ts'
import { ClearedByNull, Default, Described, Input, KeptByNull, Maybe, Uuid } from '../shapes/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.name_length })
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
const Text = Type.String({ maxLength: limits.text_length })
const description = Maybe(Text)

export const alertsCreateRule = operation({
  id: 'alerts.create_rule',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Create an alert rule on the pixel values of new items.',
  input: Input({
    name: Name,
    description,
    collection_id: Described('Only for items of this collection.', Maybe(Uuid)),
    event_types: Type.Optional(EventTypes),
    expression: Expression,
    comparison: Comparison,
    threshold: Type.Number(),
    threshold_upper: Maybe(Upper),
    asset_key: Default(AssetKey, 'data'),
    band_mapping: Type.Optional(BandMapping),
    notification_channels: Type.Optional(AlertChannels),
    cooldown_minutes: Default(Cooldown, 60),
  }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found'],
})

export const alertsUpdateRule = operation({
  id: 'alerts.update_rule',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Update an alert rule; absent fields keep their values.',
  input: Input({
    rule_id: Uuid,
    name: KeptByNull(Name),
    description: ClearedByNull(Text),
    collection_id: ClearedByNull(Uuid, 'Null applies the rule to the items of every collection.'),
    event_types: KeptByNull(EventTypes),
    expression: KeptByNull(Expression),
    comparison: KeptByNull(Comparison),
    threshold: KeptByNull(Type.Number()),
    threshold_upper: ClearedByNull(Upper),
    asset_key: KeptByNull(AssetKey),
    band_mapping: Type.Optional(BandMapping),
    notification_channels: KeptByNull(AlertChannels),
    active: KeptByNull(Type.Boolean()),
    cooldown_minutes: KeptByNull(Cooldown),
  }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found'],
})

export const alertsDeleteRule = operation({
  id: 'alerts.delete_rule',
  scope: 'alerts:write',
  effect: 'destructive',
  summary: 'Delete an alert rule; its alert events are kept.',
  input: Input({ rule_id: Uuid }),
  output: Type.Object({ deleted: Type.Boolean() }),
  problems: ['not-found'],
})

export const alertsRuleGet = operation({
  id: 'alerts.rule.get',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'Read an alert rule.',
  input: Input({ rule_id: Uuid }),
  output: Type.Object({ alert_rule: AlertRule }),
  problems: ['not-found'],
})

export const alertsRulesList = operation({
  id: 'alerts.rules.list',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'List the alert rules of the organization.',
  input: Input({ active: Maybe(Type.Boolean()), collection_id: Maybe(Uuid) }),
  output: List('alert_rules', AlertRule),
})

export const alertsTestRule = operation({
  id: 'alerts.test_rule',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'Evaluate an alert rule on one item and return whether it would trigger; nothing is stored.',
  input: Input({ rule_id: Uuid, item_id: Uuid }),
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

export const alertsEventsList = operation({
  id: 'alerts.events.list',
  scope: 'alerts:read',
  effect: 'read',
  summary: 'List alert events, newest first.',
  input: Input({
    rule_id: Maybe(Uuid),
    acknowledged: Maybe(Type.Boolean()),
    ...offsetPaging(limits.short_offset_limit),
  }),
  output: List('alert_events', AlertEvent),
  paging: 'offset',
})

export const alertsAcknowledgeEvent = operation({
  id: 'alerts.acknowledge_event',
  scope: 'alerts:write',
  effect: 'compute',
  summary: 'Acknowledge an alert event.',
  input: Input({ event_id: Uuid }),
  output: Type.Object({ alert_event: AlertEvent }),
  problems: ['not-found'],
})
