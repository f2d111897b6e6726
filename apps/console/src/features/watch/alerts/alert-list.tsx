import { useState, type ReactNode } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { AlertCard } from './alert-card.tsx'
import { AlertFootprints } from './alert-footprints.tsx'
import layout from '../../../ui/layout.module.css'

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
                  {texts.alerts.more}
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
