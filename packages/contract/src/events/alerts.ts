import Type from 'typebox'
import { AlertChannels, AlertStatisticSchema, AlertComparison } from '../schemas/alert-rule.ts'
import { Nullable } from '../schemas/primitives.ts'
import { defineEvent, exampleEntityIds, NullableEventText, EventText } from './define-event.ts'

const ImageUrl = Type.String({ description: 'URL of an image; opening it needs a token that may read the item.' })

export const alertEvents = {
  'alert.triggered': defineEvent(
    'The value of a new item satisfied the comparison of an alert rule.',
    {
      rule_id: EventText,
      rule_name: EventText,
      item_id: EventText,
      project_id: EventText,
      collection_id: NullableEventText,
      expression: EventText,
      statistic: AlertStatisticSchema,
      comparison: AlertComparison,
      threshold: Type.Number(),
      threshold_upper: Nullable(Type.Number()),
      value: Type.Number(),
      channels: AlertChannels,
      picture_url: ImageUrl,
      previous_item_id: NullableEventText,
      previous_picture_url: Nullable(ImageUrl),
    },
    {
      rule_id: exampleEntityIds.rule,
      rule_name: 'Vegetation loss',
      item_id: exampleEntityIds.item,
      project_id: exampleEntityIds.project,
      collection_id: exampleEntityIds.collection,
      expression: 'ndvi',
      statistic: 'mean',
      comparison: 'lt',
      threshold: 0.3,
      threshold_upper: null,
      value: 0.21,
      channels: ['in_app', 'webhook'],
      picture_url: `https://swath.example.com/v1/op/items.tile.preview?item_id=${exampleEntityIds.item}&asset_key=data`,
      previous_item_id: null,
      previous_picture_url: null,
    },
  ),
  'alert.acknowledged': defineEvent(
    'An alert event was acknowledged.',
    { rule_id: EventText, item_id: NullableEventText, acknowledged_by: EventText },
    { rule_id: exampleEntityIds.rule, item_id: exampleEntityIds.item, acknowledged_by: exampleEntityIds.user },
  ),
}
