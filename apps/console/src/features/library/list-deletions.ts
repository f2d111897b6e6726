import type { OutputOf } from '@swath/client/operations.ts'
import { itemTypes, type LibraryItemType } from './search/library-search.ts'

type Event = OutputOf<'events.list'>['events'][number]

/** A deletion that can be undone, unless that has happened. */
export interface DeletedItem {
  readonly item_id: string
  readonly name: string
  readonly type: LibraryItemType | null
  /** The end of the time to restore it. */
  readonly until: string
}

const restore_period_ms = 30 * 86_400_000

/** The last deletion of each item, from events of the type `item.deleted`, newest first. */
export function listDeletions(events: readonly Event[], now_ms: number): DeletedItem[] {
  const deletions = new Map<string, DeletedItem>()
  for (const { entity_id, timestamp, data } of events) {
    const until_ms = Date.parse(timestamp) + restore_period_ms
    if (entity_id === null || deletions.has(entity_id) || until_ms <= now_ms) continue
    deletions.set(entity_id, {
      item_id: entity_id,
      name: typeof data['name'] === 'string' ? data['name'] : entity_id,
      type: itemTypes.find((type) => type === data['type']) ?? null,
      until: new Date(until_ms).toISOString(),
    })
  }
  return [...deletions.values()]
}
