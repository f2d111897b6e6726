import type { Order, OutputOf } from '@swath/client/operations.ts'
import { Image } from 'lucide-react'
import { useOperation } from '../../api/use-operation.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { changesSilently, stateLooks } from './order-states.ts'
import styles from './orders.module.css'
import type { Names } from './use-names.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Entry = OutputOf<'orders.timeline'>['entries'][number]

/** Some states are entered without an event; all others move by the stream of events. */
const silent_interval_ms = 10_000

/** The events of an order, when, by whom and why, and what it is waiting for; the newest entry is first. */
export function TimeLine({ order: { id, status }, names }: { order: Order; names: Names }) {
  const timeline = useOperation(
    'orders.timeline',
    { order_id: id },
    changesSilently(status) ? { refetchInterval: silent_interval_ms } : {},
  )
  return (
    <Section title={ordersTexts.timeLine}>
      <QueryView query={timeline}>
        {({ entries, next }) => (
          <>
            {next && next.host_names.length > 0 && (
              <p className={typography['note']}>{ordersTexts.waitsFor(next.host_names.join(', '))}</p>
            )}
            {next?.next_check_at && (
              <p className={typography['note']}>
                {ordersTexts.nextCheck} <Time at={next.next_check_at} />
              </p>
            )}
            <ol className={`${layout['grid']} ${styles['events']}`} reversed>
              {entries.toReversed().map((entry) => (
                <TimeLineEntry key={`${entry.at} ${entry.status} ${entry.item_id}`} entry={entry} names={names} />
              ))}
            </ol>
          </>
        )}
      </QueryView>
    </Section>
  )
}

function TimeLineEntry({ entry, names }: { entry: Entry; names: Names }) {
  const { at, kind, status, reason_text, actor, capture_id } = entry
  const isDelivery = kind === 'delivery'
  const { icon, tone } = isDelivery ? { icon: Image, tone: 'good' as const } : stateLooks[status]
  return (
    <li>
      <span aria-hidden className={`${typography[tone]} ${styles['dot']}`} />
      <div>
        <span className={layout['lines']}>
          <Badge icon={icon} tone={tone}>
            {isDelivery ? ordersTexts.sceneDelivered : ordersTexts.states[status]}
          </Badge>
          <small className={typography['note']}>
            <Time at={at} /> {!isDelivery && `· ${names.person(actor)}`}
          </small>
        </span>
        {(reason_text ?? capture_id) && <p>{reason_text ?? capture_id}</p>}
      </div>
    </li>
  )
}
