import { useMemo } from 'react'
import { useFitOnce } from '../../../map/fit-geometries.ts'
import { FootprintLayer } from '../../../map/footprint-layer.tsx'
import { toFootprints, type AnalysedItem } from './analysed-item.ts'

const ignore = (): void => undefined

/** The outlines of items on the map, which shows all of them once for each key. */
export function ItemFootprints({
  layer,
  fitKey,
  items,
  hovered = null,
  onHover = ignore,
  isFilled = true,
}: {
  layer: string
  fitKey: string
  items: readonly AnalysedItem[]
  hovered?: string | null
  onHover?: (id: string | null) => void
  isFilled?: boolean
}) {
  const key = items.map(({ id }) => id).join(',')
  // The list is another object after each render; its items are not.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const footprints = useMemo(() => toFootprints(items), [key])
  useFitOnce(fitKey, footprints)
  return (
    <FootprintLayer
      id={layer}
      footprints={footprints}
      hovered={hovered}
      selected={null}
      onHover={onHover}
      onSelect={ignore}
      isFilled={isFilled}
    />
  )
}
