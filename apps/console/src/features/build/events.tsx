import { Radio } from 'lucide-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Event } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { buildTexts } from '../../texts/build.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DottedName } from '../../ui/dotted-name.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { BuildScreen } from './build-screen.tsx'
import styles from './build.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const limit = 100

interface EventsSearch {
  readonly type?: string
  /** The continuation of older events. */
  readonly next?: string
}

/** The events of the organization, as programs receive them; new events appear by themselves. */
export function Events() {
  const navigate = useNavigate()
  const { type, next } = useSearch({ strict: false }) as EventsSearch
  const input = { limit, ...(type ? { event_type: type } : {}), ...(next ? { next } : {}) }
  const events = useOperation('events.list', input)
  const all = useOperation('events.list', { limit })
  const types = [
    ...new Set([...(all.data?.events.map(({ event_type }) => event_type) ?? []), ...(type ? [type] : [])]),
  ].toSorted()
  const show = (search: EventsSearch): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({
        ...(v ? { v } : {}),
        ...(search.type ? { type: search.type } : {}),
        ...(search.next ? { next: search.next } : {}),
      }),
    })
  return (
    <BuildScreen actions={<CopyCall operation="events.list" input={input} />}>
      <div className={layout['inset']}>
        <SelectField
          label={buildTexts.type}
          value={type ?? ''}
          onChange={(chosen) => show({ type: chosen })}
          choices={[{ value: '', label: buildTexts.allTypes }, ...types.map((value) => ({ value, label: value }))]}
        />
      </div>
      <QueryView query={events} rows={8}>
        {({ events: known, next: older }) =>
          known.length === 0 ? (
            <EmptyState icon={Radio} title={buildTexts.noEvents}>
              <p>{buildTexts.noEventsHelp}</p>
            </EmptyState>
          ) : (
            <>
              {!next && (
                <p className={`${layout['flat']} ${layout['lineBelow']}`}>
                  <Badge icon={Radio} tone="active">
                    {buildTexts.live}
                  </Badge>
                </p>
              )}
              {known.map((event) => (
                <EventRow key={event.event_id} event={event} />
              ))}
              <nav className={`${layout['spread']} ${layout['inset']}`} aria-label={buildTexts.events}>
                {next && <Button onClick={() => show(type ? { type } : {})}>{buildTexts.newest}</Button>}
                {older && (
                  <Button onClick={() => show({ ...(type ? { type } : {}), next: older })}>{buildTexts.older}</Button>
                )}
              </nav>
            </>
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

function EventRow({ event }: { event: Event }) {
  const payload = JSON.stringify(event, null, 2)
  return (
    <details className={`${layout['flat']} ${layout['lineBelow']} ${styles['event']}`}>
      <summary>
        <DottedName name={event.event_type} />
        <Time at={event.timestamp} />
        <small className={typography['clip']}>
          {event.entity_type} {event.entity_id}
        </small>
      </summary>
      <pre tabIndex={0} aria-label={event.event_type}>
        {payload}
      </pre>
      <CopyButton label={buildTexts.copyPayload} text={payload} />
    </details>
  )
}
