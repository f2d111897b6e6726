import { type ReactNode, useMemo, useState } from 'react'
import type { AlertEvent, InputOf, StacItem } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { AlertCard } from './alert-card.tsx'
import layout from '../../../ui/layout.module.css'
import { RowAreas } from '../row-areas.tsx'

/** The items of alerts on the map; the one that is clicked brings its alert into view. */
function AlertFootprints({ alerts }: { alerts: readonly AlertEvent[] }) {
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

const page_size = 20

export interface AlertListProps {
  readonly query: InputOf<'alerts.events.list'>
  /** The items of the alerts are shown on the map. */
  readonly hasMap?: boolean
  readonly empty: ReactNode
}

/** Alerts with their pictures, the newest first. */
export function AlertList({ query, hasMap = false, empty }: AlertListProps) {
  const [limit, setLimit] = useState(page_size)
  const alerts = useOperation('alerts.events.list', { ...query, limit })
  const rules = useOperation('alerts.rules.list', {})
  return (
    <QueryView query={alerts} rows={3} height_px={220}>
      {({ alert_events, total }) =>
        alert_events.length === 0 ? (
          empty
        ) : (
          <>
            {alert_events.map((alert) => (
              <AlertCard
                key={alert.id}
                alert={alert}
                rule={rules.data?.alert_rules.find(({ id }) => id === alert.rule_id) ?? null}
                isRuleDeleted={rules.data !== undefined}
              />
            ))}
            {total > alert_events.length && (
              <div className={layout['inset']}>
                <Button isPending={alerts.isFetching} onClick={() => setLimit(limit + page_size)}>
                  {alertsTexts.more}
                </Button>
              </div>
            )}
            {hasMap && <AlertFootprints alerts={alert_events} />}
          </>
        )
      }
    </QueryView>
  )
}
