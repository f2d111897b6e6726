import { eventSubscriptionsDeliveriesListOperation } from '@swath/contract/operations/event_subscriptions.deliveries.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  decodeNextToken,
  timestampSortKeyPattern,
  toPageWithNextToken,
  uuidSortKeyPattern,
} from '../../../engine/page-token.ts'
import { toEventDelivery } from '../delivery.ts'
import { listEventDeliveries } from '../store.deliveries.ts'
import { requireEventSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeliveriesListOperation, async (call, input) => {
  const { id } = await requireEventSubscription(call, input.subscription_id)
  const rows = await listEventDeliveries(call.db, {
    organization: call.organization,
    subscription: id,
    state: input.state ?? null,
    before: decodeNextToken(call, input, [timestampSortKeyPattern, uuidSortKeyPattern]) as [string, string] | null,
    limit: input.limit + 1,
  })
  const { page, next } = toPageWithNextToken(call, input, rows, (row) => [row.created_at.toISOString(), row.id])
  return { deliveries: page.map(toEventDelivery), ...next }
})
