import type { OutputOf } from '@swath/client/operations.ts'
import { useState } from 'react'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { TextField } from '../../../ui/field.tsx'
import styles from './webhooks.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = webhooksTexts

type EventTypes = OutputOf<'event_types.list'>['event_types']

interface EventTypeChoiceProps {
  readonly types: EventTypes
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The event types with their meanings; a text narrows the list, and chosen types stay in it. */
export function EventTypeChoice({ types, chosen, onChange }: EventTypeChoiceProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = types.filter(
    ({ event_type, summary }) =>
      chosen.includes(event_type) || `${event_type} ${summary}`.toLowerCase().includes(wanted),
  )
  const toggle = (type: string): void =>
    onChange(chosen.includes(type) ? chosen.filter((other) => other !== type) : [...chosen, type])
  return (
    <fieldset className={`${layout['boxed']} ${layout['stack8']} ${styles['types']}`}>
      <legend>{words.types(chosen.length)}</legend>
      <TextField label={words.findType} type="search" value={text} onChange={setText} />
      <ul className={layout['stack8']}>
        {shown.map(({ event_type, summary }) => (
          <li key={event_type}>
            <label className={layout['iconAndText']}>
              <input type="checkbox" checked={chosen.includes(event_type)} onChange={() => toggle(event_type)} />
              <span className={`${layout['grid']} ${layout['narrow']}`}>
                {summary}
                <small className={`${typography['anywhere']} ${typography['mono']}`}>{event_type}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
