import { Link } from '@tanstack/react-router'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import type { InboxEntry } from '../../inbox/inbox-entry.ts'
import { keepView } from '../../map/keep-view.ts'
import { Agreements } from '../../payments/agreements.tsx'
import { inboxTexts } from '../../texts/inbox.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { InboxCard } from './inbox-card.tsx'
import styles from './inbox.module.css'
import layout from '../../ui/layout.module.css'

/** A licence agreement that the organization has not accepted. */
export function AgreementCard({ entry: { id, deadline, subject } }: { entry: InboxEntry<'agreement'> }) {
  const words = inboxTexts.agreement
  const document_id = subject.currentDocumentId!
  const document = useOperation('eulas.document.get', { eula_id: id, document_id })
  return (
    <InboxCard kind="agreement" title={subject.title} deadline={deadline}>
      <Facts facts={[[words.providers, subject.providers.join(', ')]]} />
      <p>{words.why}</p>
      <QueryView query={document} rows={1}>
        {({ document: { version, isAccepted } }) => (
          <Agreements eulas={[{ eulaId: id, documentId: document_id, title: subject.title, version, isAccepted }]} />
        )}
      </QueryView>
    </InboxCard>
  )
}

const page_size = 50

/** Deliveries to a webhook that are not tried again by themselves. */
export function WebhookCard({ entry: { deadline, subject } }: { entry: InboxEntry<'webhook'> }) {
  const words = inboxTexts.webhook
  const { subscription, dead_count, since } = subject
  const replay = useCommand('event_subscriptions.deliveries.replay_window', ['event_subscriptions.deliveries.list'])
  const input = { subscription_id: subscription.id, since }
  return (
    <InboxCard kind="webhook" title={words.title(subscription.event_type)} deadline={deadline}>
      <Facts
        facts={[
          [words.url, subscription.endpoint_url],
          [
            words.failed,
            <span key="failed">
              {words.count(dead_count, dead_count >= page_size)} <Time at={since} />
            </span>,
          ],
        ]}
      />
      <div className={`${layout['facts']} ${styles['actions']}`}>
        <Button kind="primary" isPending={replay.isPending} onClick={() => replay.mutate(input)}>
          {words.again}
        </Button>
        <CopyCall operation="event_subscriptions.deliveries.replay_window" input={input} />
        <Link to="/build/webhooks/$subscriptionId" params={{ subscriptionId: subscription.id }} search={keepView}>
          {words.log}
        </Link>
      </div>
      {replay.data && <p role="status">{words.sent(replay.data.replayed_count)}</p>}
      {replay.isError && <ProblemNote error={replay.error} />}
    </InboxCard>
  )
}

/** Credits that are lost if they are not spent. */
export function CreditsCard({ entry: { deadline, subject } }: { entry: InboxEntry<'credits'> }) {
  const words = inboxTexts.credits
  return (
    <InboxCard kind="credits" title={words.title(formatCredits(subject.available_credits))} deadline={deadline}>
      <p>{words.help}</p>
      <div className={`${layout['facts']} ${styles['actions']}`}>
        <Link to="/explore" search={keepView}>
          {words.spend}
        </Link>
        <Link to="/money" search={keepView}>
          {words.lots}
        </Link>
      </div>
    </InboxCard>
  )
}

/** An item whose retention ends. */
export function ItemCard({ entry: { id, deadline, subject } }: { entry: InboxEntry<'item'> }) {
  const words = inboxTexts.item
  return (
    <InboxCard kind="item" title={subject.name} deadline={deadline}>
      <p>{words.help}</p>
      <div className={`${layout['facts']} ${styles['actions']}`}>
        <Link to="/library/items/$itemId" params={{ itemId: id }} search={keepView}>
          {words.open}
        </Link>
      </div>
    </InboxCard>
  )
}
