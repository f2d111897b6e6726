import { useMemo } from 'react'
import type { AlertEvent, InputOf, StacItem } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { RowAreas } from '../row-areas.tsx'

/** The items of alerts on the map; the one that is clicked brings its alert into view. */
export function AlertFootprints({ alerts }: { alerts: readonly AlertEvent[] }) {
  const ids = [...new Set(alerts.flatMap(({ item_id }) => item_id ?? []))]
  const items = useOperation('stac.search', toSearch(ids), { enabled: ids.length > 0 })
  const footprints = useMemo(() => toFootprints(items.data?.features ?? []), [items.data])
  const alertOf = (item_id: string) => alerts.find((candidate) => candidate.item_id === item_id)?.id
  return (
    <RowAreas
      layer="alerts"
      listKey={ids.join()}
      areas={footprints}
      rowSelector={(item_id) => `[data-alert="${alertOf(item_id)}"]`}
    />
  )
}

/** Alerts name items of the platform; `ids` of a search are those of STAC, which come from the host. */
const toSearch = (ids: readonly string[]): InputOf<'stac.search'> => ({
  limit: Math.max(1, ids.length),
  filter: { op: 'in', args: [{ property: 'service:item_id' }, [...ids]] },
})

const toFootprints = (features: readonly StacItem[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: features.flatMap(({ id, geometry, properties }) =>
    geometry
      ? [
          {
            type: 'Feature' as const,
            properties: { id: properties['service:item_id'] ?? id },
            geometry: geometry as unknown as GeoJSON.Geometry,
          },
        ]
      : [],
  ),
})
