import { useState } from 'react'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { useFitOnce } from '../../map/fit-geometries.ts'

/**
 * The areas of the rows of a list on the map, which shows all of them once for each list; the one that is clicked brings its
 * row into view.
 */
export function RowAreas({
  layer,
  listKey,
  areas,
  rowSelector,
}: {
  layer: string
  /** Changes with the rows. */
  listKey: string
  areas: GeoJSON.FeatureCollection
  /** Finds the row of an area. */
  rowSelector: (id: string) => string
}) {
  const [hovered, setHovered] = useState<string | null>(null)
  useFitOnce(listKey, areas)
  return (
    <FootprintLayer
      id={layer}
      footprints={areas}
      hovered={hovered}
      selected={null}
      onHover={setHovered}
      onSelect={(id) => document.querySelector(rowSelector(id))?.scrollIntoView({ block: 'nearest' })}
    />
  )
}
