import { itemsLineageOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toVisibleRecordFilter } from '../../projects/visibility.ts'
import { listProvenanceRelatives } from '../../provenance/relatives.ts'
import { requireItem } from '../access.ts'

export const handler = defineHandler(itemsLineageOperation, async (call, input) => {
  const { id } = await requireItem(call, input.item_id, 'read', { allowExpired: true })
  const visible = await toVisibleRecordFilter(call)
  return {
    item_id: id,
    parents: await listProvenanceRelatives(call.db, {
      organization: call.organization,
      entity: { type: 'item', id },
      direction: 'up',
      visible,
    }),
    children: await listProvenanceRelatives(call.db, {
      organization: call.organization,
      entity: { type: 'item', id },
      direction: 'down',
      visible,
    }),
  }
})
