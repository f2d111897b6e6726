import type { Call } from '../../../engine/call.ts'
import { getFieldErrors, validationProblem } from '../../../engine/problem.ts'
import type { ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { loadHostCollections, requireImageryHost } from '../hosts.ts'
import { requireValidFilters, toHostSearch, type CatalogFilters } from '../search.ts'

/**
 * Throws what a search with the filters would throw at a named source. Of all sources, only those that offer the queried
 * properties will find scenes, so that `query` is not checked.
 */
export async function requireValidSavedSearchFilters(
  { integrations, signal }: Pick<Call, 'integrations' | 'signal'>,
  source_ids: readonly string[] | null,
  filters: CatalogFilters,
): Promise<readonly ImageryHost[]> {
  withFilterPaths(() => requireValidFilters(filters))
  const all = [...integrations.hosts.values()]
  if (source_ids === null) {
    const [first] = all
    if (first) withFilterPaths(() => toHostSearch(first, { ...filters, query: null }))
    return all
  }
  const named = [...new Set(source_ids)].map((name) => requireImageryHost(integrations, name))
  for (const host of named) {
    await loadHostCollections(host, signal)
    withFilterPaths(() => toHostSearch(host, filters))
  }
  return named
}

/** Validation errors name the fields of the input, where the filters are a member. */
function withFilterPaths(check: () => unknown): void {
  try {
    check()
  } catch (error) {
    const errors = getFieldErrors(error)
    if (!errors) throw error
    throw validationProblem(errors.map(({ path, message }) => ({ path: `filters.${path}`, message })))
  }
}
