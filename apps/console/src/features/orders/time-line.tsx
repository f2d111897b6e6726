import type { Order } from '@swath/client/operations.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/figures.tsx'
import { Section } from '../../ui/screen.tsx'
import { stateLooks } from './order-states.ts'
import styles from './orders.module.css'
import type { Names } from './use-names.ts'

/** What happened to the order, when, by whom and why; the newest state is first. */
export function TimeLine({ order: { statusHistory }, names }: { order: Order; names: Names }) {
  return (
    <Section title={texts.orders.timeLine}>
      <ol className={styles['events']} reversed>
        {statusHistory.toReversed().map(({ at, to, reason_text, actor }) => {
          const { icon, tone } = stateLooks[to]
          return (
            <li key={`${at} ${to}`}>
              <span aria-hidden className={styles['dot']} data-tone={tone} />
              <div>
                <span className={styles['split']}>
                  <Badge icon={icon} tone={tone}>
                    {texts.orders.states[to]}
                  </Badge>
                  <small className={styles['muted']}>
                    <Time at={at} /> · {names.person(actor)}
                  </small>
                </span>
                {reason_text && <p>{reason_text}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
