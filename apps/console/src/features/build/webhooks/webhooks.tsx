import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { EventSubscription } from '@swath/client/operations.ts'
import { isForbidden } from '../../../api/problem.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { BuildScreen } from '../build-screen.tsx'
import { describeEndpoint, testInboxUrl } from './test-inbox.ts'
import { WebhookState } from './webhook-state.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { EventTypeChoice } from './event-type-choice.tsx'
import { SigningSecret } from './signing-secret.tsx'

const words = webhooksTexts
const targets = ['server', 'inbox'] as const
type Target = (typeof targets)[number]

/** Subscribes a URL to types of events; their signing secret is shown once. */
function NewWebhook({ onDone }: { onDone: () => void }) {
  const types = useOperation('event_types.list', {})
  const create = useCommand('event_subscriptions.create_many', ['event_subscriptions.list'])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [target, setTarget] = useState<Target>('server')
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  if (create.data)
    return (
      <Section title={words.created(create.data.subscriptions.length)}>
        <SigningSecret secret={create.data.secret} onDone={onDone} />
      </Section>
    )
  const endpoint_url = target === 'inbox' ? testInboxUrl : url.trim()
  const isComplete = chosen.length > 0 && endpoint_url !== ''
  const input = { event_types: [...chosen], endpoint_url, description: description.trim() || null }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isComplete) create.mutate(input)
  }
  return (
    <Section title={words.new}>
      <form className={layout['stack12']} onSubmit={submit}>
        <Segments
          label={words.target}
          choices={targets.map((value) => ({ value, label: words.targets[value] }))}
          value={target}
          onChange={setTarget}
        />
        {target === 'inbox' ? (
          <p className={typography['muted']}>{words.inboxHelp}</p>
        ) : (
          <TextField
            label={words.url}
            type="url"
            inputMode="url"
            placeholder="https://"
            help={words.urlHelp}
            required
            value={url}
            onChange={setUrl}
          />
        )}
        <QueryView query={types} rows={4}>
          {({ event_types }) => <EventTypeChoice types={event_types} chosen={chosen} onChange={setChosen} />}
        </QueryView>
        <TextField label={words.description} value={description} onChange={setDescription} maxLength={500} />
        <div className={layout['row']}>
          <Button type="submit" kind="primary" isPending={create.isPending} disabled={!isComplete}>
            {words.create}
          </Button>
          <Button onClick={onDone}>{uiTexts.cancel}</Button>
          {isComplete && <CopyCall operation="event_subscriptions.create_many" input={input} />}
        </div>
        {create.isError && <ProblemNote error={create.error} />}
      </form>
    </Section>
  )
}

/** The subscriptions of the organization, which tell other servers what happens. */
export function Webhooks() {
  const subscriptions = useOperation('event_subscriptions.list', {})
  const [isCreating, setCreating] = useState(false)
  return (
    <BuildScreen
      actions={
        <>
          <CopyCall operation="event_subscriptions.list" input={{}} />
          {!isForbidden(subscriptions.error) && (
            <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
              {webhooksTexts.new}
            </Button>
          )}
        </>
      }
    >
      {isCreating && <NewWebhook onDone={() => setCreating(false)} />}
      <QueryView query={subscriptions} rows={3}>
        {({ subscriptions: known }) =>
          known.length === 0 ? (
            !isCreating && (
              <EmptyState icon={Webhook} title={webhooksTexts.none}>
                <p>{webhooksTexts.noneHelp}</p>
              </EmptyState>
            )
          ) : (
            <ul>
              {known.map((subscription) => (
                <li className={layout['lineBelow']} key={subscription.id}>
                  <WebhookLink subscription={subscription} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

function WebhookLink({ subscription }: { subscription: EventSubscription }) {
  const { id, event_type, endpoint_url, description } = subscription
  return (
    <Link
      className={`${layout['inset']} ${typography['plain']} ${layout['stack2']} ${layout['choice']}`}
      to="/build/webhooks/$subscriptionId"
      params={{ subscriptionId: id }}
      search={keepView}
    >
      <span className={layout['lines']}>
        <code>{event_type}</code>
        <WebhookState subscription={subscription} />
      </span>
      <small className={typography['anywhere']}>{describeEndpoint(endpoint_url)}</small>
      {description && <small className={typography['anywhere']}>{description}</small>}
    </Link>
  )
}
