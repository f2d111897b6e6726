import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { EventSubscription } from '@swath/client/operations.ts'
import { isForbidden } from '../../../api/problem.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { BuildScreen } from '../build-screen.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { describeEndpoint } from './test-inbox.ts'
import { WebhookState } from './webhook-state.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

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
              {texts.webhooks.new}
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
              <EmptyState icon={Webhook} title={texts.webhooks.none}>
                <p>{texts.webhooks.noneHelp}</p>
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
