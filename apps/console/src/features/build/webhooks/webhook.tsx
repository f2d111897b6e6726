import { useNavigate, useParams } from '@tanstack/react-router'
import type { EventSubscription } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { ReceivedDelivery } from './received-delivery.tsx'
import { ReplayForm } from './replay-form.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { WebhookState } from './webhook-state.tsx'
import { describeEndpoint } from './test-inbox.ts'
import styles from './webhooks.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = webhooksTexts

/** One subscription: its state, its actions and its deliveries. */
export function WebhookDetail() {
  const { subscriptionId } = useParams({ strict: false }) as { subscriptionId: string }
  const input = { subscription_id: subscriptionId }
  const subscription = useOperation('event_subscriptions.get', input)
  return (
    <Screen
      title={subscription.data?.subscription.event_type ?? words.title}
      back={{ to: '/build/webhooks', search: keepView }}
      actions={<CopyCall operation="event_subscriptions.get" input={input} />}
    >
      <QueryView query={subscription} title={words.subscription} rows={6}>
        {({ subscription: known }) => (
          <>
            <Overview subscription={known} />
            <DeliveryLog subscriptionId={known.id} />
            <ReplayForm subscriptionId={known.id} />
          </>
        )}
      </QueryView>
    </Screen>
  )
}

const describePairs = (pairs: Readonly<Record<string, unknown>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

function Overview({ subscription }: { subscription: EventSubscription }) {
  const { endpoint_url, description, filter_config, headers, failing_since, held_until, created_at } = subscription
  const { disabled_reason } = subscription
  return (
    <Section title={words.subscription} actions={<WebhookState subscription={subscription} />}>
      {disabled_reason && <p role="status">{words.reasons[disabled_reason]}</p>}
      <Facts
        facts={[
          [words.facts.url, describeEndpoint(endpoint_url)],
          [words.facts.description, description],
          [words.facts.filter, describePairs(filter_config)],
          [words.facts.headers, describePairs(headers)],
          [words.facts.failing, failing_since && <Time key="failing" at={failing_since} />],
          [words.facts.held, held_until && <Time key="held" at={held_until} />],
          [words.facts.created, <Time key="created" at={created_at} />],
        ]}
      />
      <WebhookActions subscription={subscription} />
    </Section>
  )
}

const changedReads = ['event_subscriptions.get', 'event_subscriptions.list'] as const

function WebhookActions({ subscription: { id, active, event_type } }: { subscription: EventSubscription }) {
  const navigate = useNavigate()
  const update = useCommand('event_subscriptions.update', changedReads)
  const test = useCommand('event_subscriptions.test', changedReads)
  const remove = useCommand('event_subscriptions.delete', ['event_subscriptions.list'])
  const input = { subscription_id: id }
  const leave = (): void => void navigate({ to: '/build/webhooks', search: keepView })
  return (
    <>
      <div className={layout['row']}>
        <Button isPending={test.isPending} onClick={() => test.mutate(input)}>
          {words.test}
        </Button>
        <Button isPending={update.isPending} onClick={() => update.mutate({ ...input, active: !active })}>
          {active ? words.pause : words.resume}
        </Button>
        <RotateSecret subscriptionId={id} name={event_type} />
        <ConfirmButton
          label={words.remove}
          verb={words.remove}
          kind="danger"
          title={words.removeTitle}
          subject={event_type}
          text={words.removeText}
          cancel={words.keep}
          call={['event_subscriptions.delete', input]}
          command={remove}
          onSuccess={leave}
        />
      </div>
      {test.data && (
        <p role="status">
          {test.data.delivered
            ? words.tested.delivered(test.data.http_status)
            : words.tested.failed(test.data.error ?? String(test.data.http_status ?? ''))}
        </p>
      )}
      {test.data && <ReceivedDelivery headers={test.data.headers} body={JSON.stringify(test.data.payload)} />}
      {test.isError && <ProblemNote error={test.error} />}
      {update.isError && <ProblemNote error={update.error} />}
    </>
  )
}

/** Asks first; the new secret is shown once, below the buttons. */
function RotateSecret({ subscriptionId, name }: { subscriptionId: string; name: string }) {
  const rotate = useCommand('event_subscriptions.rotate_secret', changedReads)
  const input = { subscription_id: subscriptionId }
  return (
    <>
      <ConfirmButton
        label={words.rotate}
        verb={words.rotate}
        kind="plain"
        confirmKind="danger"
        title={words.rotateTitle}
        subject={name}
        text={words.rotateText}
        cancel={words.keep}
        call={['event_subscriptions.rotate_secret', input]}
        command={rotate}
      />
      {rotate.data && (
        <div className={`${layout['stack8']} ${styles['secret']}`}>
          <SigningSecret secret={rotate.data.secret} onDone={rotate.reset} />
          {rotate.data.previous_secret_expires_at && (
            <small className={typography['anywhere']}>
              {words.previous} <Time at={rotate.data.previous_secret_expires_at} />
            </small>
          )}
        </div>
      )}
    </>
  )
}
