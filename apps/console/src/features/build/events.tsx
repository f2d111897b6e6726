import { Radio } from 'lucide-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { BuildScreen } from './build-screen.tsx'
import styles from './build.module.css'

const limit = 100

/** What has happened, as programs are told it. */
export function Events() {
  const navigate = useNavigate()
  const { type } = useSearch({ strict: false }) as { type?: string }
  const input = { limit, ...(type ? { event_type: type } : {}) }
  const events = useOperation('events.list', input)
  const all = useOperation('events.list', { limit })
  const types = [...new Set(all.data?.events.map(({ event_type }) => event_type))].toSorted()
  const show = (next: string): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...(next ? { type: next } : {}) }),
      replace: true,
    })
  return (
    <BuildScreen actions={<CopyCall operation="events.list" input={input} />}>
      <div className={styles['filters']}>
        <SelectField
          label={texts.build.type}
          value={type ?? ''}
          onChange={show}
          choices={[{ value: '', label: texts.build.allTypes }, ...types.map((value) => ({ value, label: value }))]}
        />
      </div>
      <QueryView query={events} rows={8}>
        {({ events: known }) =>
          known.length === 0 ? (
            <EmptyState icon={Radio} title={texts.build.noEvents}>
              <p>{texts.build.noEventsHelp}</p>
            </EmptyState>
          ) : (
            known.map((event) => (
              <details key={event.event_id} className={styles['event']}>
                <summary>
                  {event.event_type}
                  <Time at={event.timestamp} />
                </summary>
                <pre className={styles['answer']} tabIndex={0}>
                  {JSON.stringify(event, null, 2)}
                </pre>
              </details>
            ))
          )
        }
      </QueryView>
    </BuildScreen>
  )
}
