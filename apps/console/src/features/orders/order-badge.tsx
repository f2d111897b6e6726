import type { Order } from '@swath/client/operations.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Badge } from '../../ui/badge.tsx'
import { stateLooks } from './order-states.ts'

/** The state of an order; one that was delivered in part says so. */
export function OrderBadge({ order: { status, fulfillment } }: { order: Pick<Order, 'status' | 'fulfillment'> }) {
  const { icon, tone } = stateLooks[status]
  const isPartial = status === 'FULFILLED' && fulfillment === 'partial'
  return (
    <Badge icon={icon} tone={isPartial ? 'warning' : tone}>
      {isPartial ? ordersTexts.partly : ordersTexts.states[status]}
    </Badge>
  )
}
