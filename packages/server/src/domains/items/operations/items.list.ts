import { itemsListOperation } from '@swath/contract/operations/items.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { computeNextOffsetMembers } from '../../../engine/page.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireCollection } from '../../collections/access.ts'
import { requireProject } from '../../projects/access.ts'
import { createItemPageResponse } from '../search/item-page.ts'
import { listItemRows } from '../store.ts'

export const handler = defineHandler(itemsListOperation, async (call, input) => {
  const { project_id, collection_id, uncollected, limit, offset } = input
  if (collection_id && uncollected) {
    throw new Problem('conflicting-parameters', 'collection_id and uncollected are mutually exclusive.')
  }
  if (collection_id) await requireCollection(call, collection_id, 'read', project_id)
  else await requireProject(call, project_id, 'read')
  const { page, total } = await listItemRows(call.db, call.organization, {
    project_id,
    ...(collection_id ? { collection_id } : {}),
    uncollected,
    now: call.clock.now(),
    limit,
    offset,
  })
  return createItemPageResponse(call, 'items', {
    page,
    pageMembers: (returned) => computeNextOffsetMembers({ limit, offset }, total, returned),
  })
})
