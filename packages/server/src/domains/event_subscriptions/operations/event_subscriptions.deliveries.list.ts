import { eventSubscriptionsDeliveriesListOperation } from '@swath/contract/operations/event_subscriptions.deliveries.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  decodeNextToken,
  timestampSortKeyPattern,
  toTokenPage,
  uuidSortKeyPattern,
} from '../../../engine/page-token.ts'
import { toDelivery } from '../delivery.ts'
import { listDeliveries } from '../store.deliveries.ts'
import { requireSubscription } from '../subscription.ts'

export const handler = defineHandler(eventSubscriptionsDeliveriesListOperation, async (call, input) => {
  const { id } = await requireSubscription(call, input.subscription_id)
  const rows = await listDeliveries(call.db, {
    organization: call.organization,
    subscription: id,
    state: input.state ?? null,
    before: decodeNextToken(call, input, [timestampSortKeyPattern, uuidSortKeyPattern]) as [string, string] | null,
    limit: input.limit + 1,
  })
  const { page, next } = toTokenPage(call, input, rows, (row) => [row.created_at.toISOString(), row.id])
  return { deliveries: page.map(toDelivery), ...next }
})
