import { catalogSearchDeleteOperation } from '@swath/contract/operations/catalog.search.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { emitEvent } from '../../events/emit.ts'
import { requireSavedSearch, savedSearchNotFound } from '../saved-searches/saved-search.ts'
import { deleteSavedSearch } from '../saved-searches/store.saved-searches.ts'

export const handler = defineHandler(catalogSearchDeleteOperation, async (call, input) => {
  const { id, name } = await requireSavedSearch(call, input.search_id, 'write')
  await call.transaction(async (tx) => {
    // First, while its project is still known.
    await emitEvent(tx, call, {
      kind: 'saved_search.deleted',
      entity_type: 'saved_search',
      entity_id: id,
      data: { name },
    })
    if (!(await deleteSavedSearch(tx, call.organization, id))) throw savedSearchNotFound(id)
  })
  return { ok: true, id }
})
