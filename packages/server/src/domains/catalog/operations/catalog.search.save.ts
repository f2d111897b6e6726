import { catalogSearchSaveOperation } from '@swath/contract/operations/catalog.search.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { replaceUniqueViolation } from '../../../platform/database/unique-violation.ts'
import { newId } from '../../../platform/ids.ts'
import { findFirstWritableProject, lockOpenProject, requireProject } from '../../projects/access.ts'
import { toSavedSearch } from '../saved-searches/saved-search.ts'
import {
  lockAndCountSavedSearches,
  insertSavedSearch,
  type SavedSearchRow,
} from '../saved-searches/store.saved-searches.ts'
import { listSavedSearchSources, insertSavedSearchWatchedSources } from '../saved-searches/store.scenes.ts'
import { requireValidSavedSearchFilters } from '../saved-searches/validate-filters.ts'

export const handler = defineHandler(catalogSearchSaveOperation, async (call, input) => {
  const project_id = await resolveProject(call, input.project_id ?? null)
  const source_ids = input.source_ids ?? null
  const hosts = await requireValidSavedSearchFilters(call, source_ids, input.filters)
  const now = call.clock.now()
  const row: SavedSearchRow = {
    id: newId(),
    project_id,
    name: input.name,
    source_ids,
    filters: input.filters,
    notify: input.notify,
    created_by: call.principal.id,
    created_at: now,
    last_matched_at: null,
    next_run_at: input.notify ? now : null,
  }
  const { organization } = call
  const sources = hosts.map(({ name }) => name)
  const inserted = call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    if ((await lockAndCountSavedSearches(tx, organization)) >= limits.max_saved_searches) throw tooManySearches()
    await insertSavedSearch(tx, organization, row)
    if (row.notify) await insertSavedSearchWatchedSources(tx, { organization, search: row.id, sources, now })
    return listSavedSearchSources(tx, organization, [row.id])
  })
  return toSavedSearch(row, await withUniqueName(row.name, inserted))
})

const tooManySearches = (): Problem =>
  new Problem(
    'invalid-state',
    `The organization has ${limits.max_saved_searches} saved searches; delete one that is not needed.`,
  )

async function resolveProject(call: Call, requested: string | null): Promise<string> {
  const project =
    requested === null ? await findFirstWritableProject(call) : await requireProject(call, requested, 'write')
  if (project) return project.id
  throw validationProblem([{ path: 'project_id', message: 'is required: you have no project to save the search in' }])
}

/** Converts a unique violation of the name to `name-taken`. */
const withUniqueName = <T>(name: string, work: Promise<T>): Promise<T> =>
  replaceUniqueViolation(
    work,
    () => new Problem('name-taken', `The project already has a saved search named "${name}".`),
  )
