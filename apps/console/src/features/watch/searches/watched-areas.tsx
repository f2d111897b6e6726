import { useMemo } from 'react'
import type { SavedSearch } from '@swath/client/operations.ts'
import { RowAreas } from '../row-areas.tsx'
import { toSearchAreas } from './search-areas.ts'

/** The areas of the saved searches on the map; the one that is clicked brings its search into view. */
export function WatchedAreas({ searches }: { searches: readonly SavedSearch[] }) {
  const areas = useMemo(() => toSearchAreas(searches), [searches])
  const listKey = searches.map(({ id }) => id).join()
  return <RowAreas layer="watched" listKey={listKey} areas={areas} rowSelector={(id) => `[data-search="${id}"]`} />
}
