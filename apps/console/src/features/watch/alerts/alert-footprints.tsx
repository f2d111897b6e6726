import { useMemo, useState } from 'react'
import type { AlertEvent, StacItem } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { FootprintLayer } from '../../../map/footprint-layer.tsx'
import { useFitOnce } from '../../../map/fit-geometries.ts'

/** The items of alerts on the map; the one that is clicked brings its alert into view. */
export function AlertFootprints({ alerts }: { alerts: readonly AlertEvent[] }) {
  const ids = [...new Set(alerts.flatMap(({ item_id }) => item_id ?? []))]
  const items = useOperation('stac.search', { ids, limit: ids.length }, { enabled: ids.length > 0 })
  const [hovered, setHovered] = useState<string | null>(null)
  const footprints = useMemo(() => toFootprints(items.data?.features ?? []), [items.data])
  useFitOnce(ids.join(), footprints)
  const bringIntoView = (item_id: string): void => {
    const alert = alerts.find((candidate) => candidate.item_id === item_id)
    document.querySelector(`[data-alert="${alert?.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <FootprintLayer
      id="alerts"
      footprints={footprints}
      hovered={hovered}
      selected={null}
      onHover={setHovered}
      onSelect={bringIntoView}
    />
  )
}

const toFootprints = (features: readonly StacItem[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: features.flatMap(({ id, geometry }) =>
    geometry
      ? [{ type: 'Feature' as const, properties: { id }, geometry: geometry as unknown as GeoJSON.Geometry }]
      : [],
  ),
})
