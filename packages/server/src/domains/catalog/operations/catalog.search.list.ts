import { catalogSearchListOperation } from '@swath/contract/operations/catalog.search.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listReadableProjectIds, requireProject } from '../../projects/access.ts'
import { toSavedSearch } from '../saved-searches/saved-search.ts'
import { listSavedSearches } from '../saved-searches/store.saved-searches.ts'
import { listSavedSearchSources } from '../saved-searches/store.scenes.ts'

export const handler = defineHandler(catalogSearchListOperation, async (call, input) => {
  const { organization } = call
  const projects = input.project_id
    ? [(await requireProject(call, input.project_id, 'read')).id]
    : await listReadableProjectIds(call)
  const { limit, offset } = input
  const { rows, total } = await listSavedSearches(call.db, { organization, projects, limit, offset })
  const sources = await listSavedSearchSources(
    call.db,
    organization,
    rows.map(({ id }) => id),
  )
  const sourcesBySearch = Map.groupBy(sources, ({ search_id }) => search_id)
  const searches = rows.map((row) => toSavedSearch(row, sourcesBySearch.get(row.id) ?? []))
  return toListPage('searches', { rows: searches, total }, input)
})
