import { useState } from 'react'
import { Ban, CircleCheck, CircleX, Hourglass, RotateCw, Send, type LucideIcon } from 'lucide-react'
import type { EventDelivery } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Time } from '../../../ui/figures.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import { refresh_ms } from './refresh.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = webhooksTexts
const limit = 25

type DeliveryState = EventDelivery['state']

const looks: Readonly<Record<DeliveryState, readonly [LucideIcon, Tone]>> = {
  pending: [Hourglass, 'active'],
  delivering: [Send, 'active'],
  succeeded: [CircleCheck, 'good'],
  retrying: [RotateCw, 'warning'],
  dead: [CircleX, 'bad'],
  cancelled: [Ban, 'neutral'],
}

const states = Object.entries(words.deliveryStates).map(([value, label]) => ({ value, label }))

/** The deliveries of a subscription, newest first; the list updates by itself. */
export function DeliveryLog({ subscriptionId }: { subscriptionId: string }) {
  const [state, setState] = useState<DeliveryState | ''>('')
  const [next, setNext] = useState<string | null>(null)
  const input = {
    subscription_id: subscriptionId,
    limit,
    ...(state === '' ? {} : { state }),
    ...(next === null ? {} : { next }),
  }
  const deliveries = useOperation('event_subscriptions.deliveries.list', input, { refetchInterval: refresh_ms })
  return (
    <Section title={words.log} actions={<CopyCall operation="event_subscriptions.deliveries.list" input={input} />}>
      <SelectField
        label={words.logState}
        value={state}
        onChange={(chosen) => {
          setState(chosen as DeliveryState | '')
          setNext(null)
        }}
        choices={[{ value: '', label: words.allStates }, ...states]}
      />
      <QueryView query={deliveries} rows={4}>
        {({ deliveries: known, next: older }) =>
          known.length === 0 ? (
            <EmptyState icon={Send} title={state === '' ? words.noDeliveries : words.noneInState}>
              {state === '' && <p>{words.noDeliveriesHelp}</p>}
            </EmptyState>
          ) : (
            <>
              <ul className={layout['bleed']}>
                {known.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ul>
              <div className={layout['row']}>
                {next !== null && <Button onClick={() => setNext(null)}>{words.newest}</Button>}
                {older && <Button onClick={() => setNext(older)}>{words.older}</Button>}
              </div>
            </>
          )
        }
      </QueryView>
    </Section>
  )
}

function DeliveryRow({ delivery }: { delivery: EventDelivery }) {
  const [isOpen, setOpen] = useState(false)
  const { state, attempts, created_at, entity_type, entity_id, next_attempt_at } = delivery
  const [icon, tone] = looks[state]
  return (
    <li className={`${layout['flat']} ${layout['lineAbove']}`}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={layout['stack2']}>
          <span className={layout['split']}>
            <Badge icon={icon} tone={tone}>
              {words.deliveryStates[state]}
            </Badge>
            <Time at={created_at} />
          </span>
          <small className={typography['anywhere']}>
            {entity_type} {entity_id}
          </small>
          <small className={typography['anywhere']}>
            {words.attempts(attempts)}
            {next_attempt_at && (
              <>
                , {words.next} <Time at={next_attempt_at} />
              </>
            )}
          </small>
        </summary>
        {isOpen && <DeliveryDetail deliveryId={delivery.id} />}
      </details>
    </li>
  )
}
