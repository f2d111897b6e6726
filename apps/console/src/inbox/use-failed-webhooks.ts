import { useOperation, useOperations } from '../api/use-operation.ts'
import type { InboxEntry, InboxSource } from './inbox-entry.ts'

/** Their failures are looked for; the other subscriptions are in Build. */
const max_subscriptions = 20
const page_size = 50

/** Subscriptions with deliveries that are not tried again by themselves. */
export function useFailedWebhooks(): InboxSource {
  const query = useOperation('event_subscriptions.list', {})
  const subscriptions = (query.data?.subscriptions ?? []).slice(0, max_subscriptions)
  const results = useOperations(
    'event_subscriptions.deliveries.list',
    subscriptions.map(({ id }) => ({ subscription_id: id, state: 'dead' as const, limit: page_size })),
  )
  const entries = subscriptions.flatMap((subscription, at): InboxEntry[] => {
    const deliveries = results[at]?.data?.deliveries ?? []
    const oldest = deliveries.at(-1)
    if (!oldest) return []
    const subject = { subscription, dead_count: deliveries.length, since: oldest.created_at }
    return [{ kind: 'webhook', id: subscription.id, deadline: null, subject }]
  })
  return { query, entries }
}
