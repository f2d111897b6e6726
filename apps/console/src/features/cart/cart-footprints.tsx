import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { useMemo } from 'react'
import type { CartLine } from '../../cart/cart.ts'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { lineKey } from './cart-lines.tsx'

interface CartFootprintsProps {
  readonly lines: readonly CartLine[]
  readonly hovered: string | null
  readonly onHover: (key: string | null) => void
}

/** The bought part of each scene, on the map. */
export function CartFootprints({ lines, hovered, onHover }: CartFootprintsProps) {
  const key = JSON.stringify(lines)
  const footprints = useMemo(
    (): GeoJSON.FeatureCollection => ({
      type: 'FeatureCollection',
      features: (JSON.parse(key) as CartLine[]).flatMap((line) => {
        const geometry = line.area ?? line.footprint
        return geometry
          ? [{ type: 'Feature', properties: { id: lineKey(line) }, geometry: geometry as GeoJSON.Geometry }]
          : []
      }),
    }),
    [key],
  )
  const bounds = footprints.features.map(({ geometry }) => ('coordinates' in geometry ? geometry.coordinates : []))
  useFitBounds(bounds.length === 0 ? null : coordinateExtent(bounds))
  return (
    <FootprintLayer
      id="cart"
      footprints={footprints}
      hovered={hovered}
      selected={null}
      onHover={onHover}
      onSelect={onHover}
    />
  )
}
