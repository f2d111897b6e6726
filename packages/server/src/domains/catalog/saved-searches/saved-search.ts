import type { SavedSearch } from '@swath/contract/schemas/catalog.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { boundsToPolygon } from '@swath/geo/bbox.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireProject } from '../../projects/access.ts'
import { isAreaGeometry } from '../price.ts'
import { findSavedSearch, type SavedSearchRow } from './store.saved-searches.ts'
import { type SavedSearchSourceRow } from './store.scenes.ts'

/** The representation of a saved search, with what the runs know of its sources. */
export const toSavedSearch = (row: SavedSearchRow, sources: readonly SavedSearchSourceRow[]): SavedSearch => ({
  id: row.id,
  name: row.name,
  project_id: row.project_id,
  source_ids: row.source_ids && [...row.source_ids],
  filters: row.filters,
  notify: row.notify,
  sources: sources.map(({ source_id, last_run_at, error, next_run_at }) => ({
    source_id,
    last_run_at: last_run_at?.toISOString() ?? null,
    error,
    next_run_at: next_run_at.toISOString(),
  })),
  last_matched_at: row.last_matched_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
})

export const savedSearchNotFound = (id: string): Problem =>
  new Problem('not-found', `No saved search has the id "${id}".`)

/** The search, if the caller has the permission in its project. Throws `not-found` or `not-a-member`. */
export async function requireSavedSearch(
  call: Call,
  id: string,
  permission: 'read' | 'write',
): Promise<SavedSearchRow> {
  const row = await findSavedSearch(call.db, call.organization, id)
  if (!row) throw savedSearchNotFound(id)
  await requireProject(call, row.project_id, permission)
  return row
}

/** The area of a search; null if it has none. */
export function getSavedSearchArea({ filters }: Pick<SavedSearchRow, 'filters'>): AreaGeometry | null {
  if (filters.intersects) return isAreaGeometry(filters.intersects) ? filters.intersects : null
  return filters.bbox ? boundsToPolygon(filters.bbox as unknown as Bounds) : null
}
