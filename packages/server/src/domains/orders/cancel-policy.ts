import type { Order } from '@swath/contract/schemas/order.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { defaultCancelPolicy, type CancelPolicy } from '../../platform/integrations/imagery-host.ts'
import type { CaptureQuote, QuotedCapture } from './quote.ts'
import type { OrderRow } from './store.ts'

/** The policy of a capture; a host that cannot cancel an accepted order allows none. */
export const findCaptureCancelPolicy = ({ price, host }: Pick<QuotedCapture, 'price' | 'host'>): CancelPolicy =>
  (host.cancel && price?.cancel_policy) || defaultCancelPolicy

/** The policy of an order: the strictest of its captures, and the sum of their fees, each rounded up. */
export function combineOrderCancelPolicies({
  captures,
  shares,
}: Pick<CaptureQuote, 'captures' | 'shares'>): Pick<OrderRow, 'cancellable_until' | 'cancel_fee_credits'> {
  const policies = captures.map((capture) => ({
    policy: findCaptureCancelPolicy(capture),
    credits: shares.get(capture) ?? 0,
  }))
  if (policies.some(({ policy }) => policy.cancellable_until === 'PLACED')) {
    return { cancellable_until: 'PLACED', cancel_fee_credits: 0 }
  }
  const fees = policies.map(({ policy, credits }) => Math.ceil((credits * policy.fee_pct) / 100))
  return { cancellable_until: 'BEING_FULFILLED', cancel_fee_credits: fees.reduce((sum, fee) => sum + fee, 0) }
}

/** The effects of a cancellation at a time. */
export function describeCancellationTerms(
  {
    status,
    cancellable_until,
    cancel_fee_credits,
    cancel_by: deadline,
  }: Pick<OrderRow, 'status' | 'cancellable_until' | 'cancel_fee_credits' | 'cancel_by'>,
  now: OrganizationTime,
): Order['cancellation'] {
  const cancel_by = deadline?.toISOString() ?? null
  if (status === 'CREATED' || status === 'PLACEMENT_FAILED')
    return { is_cancellable: true, cancellable_until, fee_credits: 0, cancel_by }
  const isInTime = deadline === null || now < deadline
  const isCancellable = status === 'PLACED' && cancellable_until === 'BEING_FULFILLED' && isInTime
  const fee_credits = isCancellable ? cancel_fee_credits : 0
  return { is_cancellable: isCancellable, cancellable_until, fee_credits, cancel_by }
}
