import { useMemo, useState } from 'react'
import type { SavedSearch } from '@swath/client/operations.ts'
import { FootprintLayer } from '../../../map/footprint-layer.tsx'
import { useFitOnce } from '../../../map/fit-geometries.ts'
import { toSearchAreas } from './search-areas.ts'

const ids = (searches: readonly SavedSearch[]): string => searches.map(({ id }) => id).join()

/** The areas of the saved searches on the map; the one that is pointed at brings its search into view. */
export function WatchedAreas({ searches }: { searches: readonly SavedSearch[] }) {
  const [hovered, setHovered] = useState<string | null>(null)
  const areas = useMemo(() => toSearchAreas(searches), [searches])
  useFitOnce(ids(searches), areas)
  return (
    <FootprintLayer
      id="watched"
      footprints={areas}
      hovered={hovered}
      selected={null}
      onHover={setHovered}
      onSelect={(id) => document.querySelector(`[data-search="${id}"]`)?.scrollIntoView({ block: 'nearest' })}
    />
  )
}
