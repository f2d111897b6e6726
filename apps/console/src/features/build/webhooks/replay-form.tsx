import { useState, type FormEvent } from 'react'
import { useCommand } from '../../../api/use-operation.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { CheckboxField, TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = webhooksTexts

/** A time of the reader's zone as RFC 3339; null for an incomplete one. */
const toTimestamp = (text: string): string | null =>
  Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()

/** Sends the deliveries of a period again, for a server that was down. */
export function ReplayForm({ subscriptionId }: { subscriptionId: string }) {
  const replay = useCommand('event_subscriptions.deliveries.replay_window', ['event_subscriptions.deliveries.list'])
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [hasDelivered, setDelivered] = useState(false)
  const since = toTimestamp(from)
  const input = {
    subscription_id: subscriptionId,
    since: since ?? '',
    until: toTimestamp(to),
    include_delivered: hasDelivered,
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (since !== null) replay.mutate(input)
  }
  return (
    <Section title={words.replay}>
      <p className={typography['muted']}>{words.replayHelp}</p>
      <form className={layout['stack12']} onSubmit={submit}>
        <div className={layout['columns']}>
          <TextField label={words.since} type="datetime-local" required value={from} onChange={setFrom} />
          <TextField label={words.until} type="datetime-local" value={to} onChange={setTo} />
        </div>
        <CheckboxField label={words.withDelivered} checked={hasDelivered} onChange={setDelivered} />
        <div className={layout['row']}>
          <Button type="submit" isPending={replay.isPending} disabled={since === null}>
            {words.replayButton}
          </Button>
          {since !== null && <CopyCall operation="event_subscriptions.deliveries.replay_window" input={input} />}
        </div>
        {replay.data && <p role="status">{words.replayed(replay.data.replayed_count, replay.data.has_more)}</p>}
        {replay.isError && <ProblemNote error={replay.error} />}
      </form>
    </Section>
  )
}
