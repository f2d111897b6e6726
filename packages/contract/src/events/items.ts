import Type from 'typebox'
import { Count, Nullable } from '../schemas/primitives.ts'
import { ItemType, LifecycleState } from '../schemas/item.ts'
import { defineEvent, exampleEntityIds, OptionalEventText, EventText } from './define-event.ts'

const ItemMembers = { project_id: EventText, collection_id: Nullable(EventText), name: EventText, type: ItemType }
const ChangedItemMembers = { ...ItemMembers, lifecycle_state: LifecycleState }
const exampleItem = {
  project_id: exampleEntityIds.project,
  collection_id: exampleEntityIds.collection,
  name: 'Harbour, 3 March',
  type: 'satellite_capture',
} as const
const CollectionMembers = { project_id: EventText, name: EventText }
const exampleCollection = { project_id: exampleEntityIds.project, name: 'Harbour' }

export const itemEvents = {
  'item.created': defineEvent(
    'An item was created or delivered.',
    { ...ItemMembers, order_id: OptionalEventText },
    { ...exampleItem, order_id: exampleEntityIds.order },
  ),
  'item.updated': defineEvent(
    'An item was updated.',
    {
      ...ChangedItemMembers,
      changed: Type.Optional(Type.Array(EventText, { description: 'The members that changed.' })),
      restored: Type.Optional(Type.Boolean()),
      asset_id: OptionalEventText,
      asset_key: OptionalEventText,
    },
    { ...exampleItem, lifecycle_state: 'active', changed: ['name'] },
  ),
  'item.deleted': defineEvent('An item was deleted.', ChangedItemMembers, {
    ...exampleItem,
    lifecycle_state: 'deleted',
  }),
  'asset.deleted': defineEvent(
    'An asset was deleted.',
    { item_id: EventText, project_id: EventText, key: EventText, freed_bytes: Count },
    { item_id: exampleEntityIds.item, project_id: exampleEntityIds.project, key: 'visual', freed_bytes: 52_428_800 },
  ),
  'upload.completed': defineEvent(
    'An upload was ingested.',
    { project_id: EventText, item_ids: Type.Array(EventText), refused_count: Count },
    { project_id: exampleEntityIds.project, item_ids: [exampleEntityIds.item], refused_count: 0 },
  ),
  'collection.created': defineEvent(
    'A collection was created.',
    { ...CollectionMembers, order_id: OptionalEventText, job_id: OptionalEventText },
    exampleCollection,
  ),
  'collection.updated': defineEvent(
    'A collection was updated.',
    { ...CollectionMembers, restored: Type.Optional(Type.Boolean()) },
    exampleCollection,
  ),
  'project.created': defineEvent('A project was created.', { name: EventText }, { name: 'Harbour survey' }),
}

export const savedSearchEvents = {
  'saved_search.matched': defineEvent(
    'New scenes of a saved search were found at a source.',
    { name: EventText, source_id: EventText, scene_ids: Type.Array(EventText) },
    { name: 'Harbour, cloudless', source_id: 'sentinel-2', scene_ids: ['S2B_56HLH_20260303'] },
  ),
  'saved_search.deleted': defineEvent(
    'A saved search was deleted.',
    { name: EventText },
    { name: 'Harbour, cloudless' },
  ),
  'standing_order.proposed': defineEvent(
    'A new scene waits for a decision: the standing order asks, or `reason` says why it could not be ordered.',
    { source_id: EventText, scene_id: EventText, credits: Count, reason: Nullable(EventText) },
    { source_id: 'sentinel-2', scene_id: 'S2B_56HLH_20260303', credits: 900, reason: null },
  ),
  'standing_order.cap_reached': defineEvent(
    'A standing order has reached its cap and stops until the next month.',
    { max_credits_per_month: Count, month_credits: Count, until: EventText },
    { max_credits_per_month: 10_000, month_credits: 9_800, until: '2026-04-01T00:00:00.000Z' },
  ),
  'standing_order.suspended': defineEvent(
    'A standing order cannot order any more and was suspended.',
    { reason: EventText },
    { reason: 'Its saved search was deleted.' },
  ),
}
