import { itemsBundlesUpdateOperation } from '@swath/contract/operations/items.bundles.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readBundle } from '../bundles/bundle.ts'
import type { Call } from '../../../engine/call.ts'
import { lockOpenProject } from '../../projects/access.ts'
import { requireStorageWithinQuota } from '../../uploads/reservation.ts'
import { itemNotFound, requireItem } from '../access.ts'
import { emitItemEvent } from '../item-events.ts'
import { requireMetadataWithinLimit, findLargestMetadataEntry } from '../metadata-limit.ts'
import { userTagsProperty, userTitleProperty } from '../stac/client-properties.ts'
import { applyMergePatch } from '../stac/merge-patch.ts'
import { lockItems, updateItem } from '../store.item-lifecycle.ts'

export const handler = defineHandler(itemsBundlesUpdateOperation, async (call, { bundle_id, ...change }) => {
  await setTitleAndTags(call, bundle_id, change)
  return readBundle(call, bundle_id)
})

/** Undefined keeps the value, null removes it. */
interface TitleAndTags {
  readonly title?: string | null
  readonly tags?: readonly string[] | null
}

/** Sets the title and the tags of an item, as properties. Throws what `requireItem` throws, and `validation` beyond the size limit. */
async function setTitleAndTags(call: Call, item_id: string, { title, tags }: TitleAndTags): Promise<void> {
  const { id, project_id } = await requireItem(call, item_id, 'write')
  const changes = Object.entries({ [userTitleProperty]: title, [userTagsProperty]: tags }).filter(
    ([, value]) => value !== undefined,
  )
  await call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    const [before] = await lockItems(tx, call.organization, [id])
    if (!before || before.deleted_at !== null) throw itemNotFound(id)
    const properties = applyMergePatch(before.properties, Object.fromEntries(changes))
    const row = await updateItem(tx, call.organization, id, { ...before, properties, updated_at: call.clock.now() })
    const largest = findLargestMetadataEntry({ properties: row.properties, description: row.description })
    requireMetadataWithinLimit(call, before.metadata_bytes, row.metadata_bytes, largest)
    if (row.metadata_bytes > before.metadata_bytes) await requireStorageWithinQuota(tx, call.organization)
    await emitItemEvent(tx, call, { kind: 'item.updated', item: row, extraData: { changed: ['properties'] } })
  })
}
