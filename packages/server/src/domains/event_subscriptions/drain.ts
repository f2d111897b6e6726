import { monotonic_ms } from '../../platform/clock.ts'
import { claimDueEventDeliveries, sendEventDelivery, type EventDeliveryContext } from './deliver.ts'
import { writeEventDeliveryResults } from './write-results.ts'

export interface EventDeliveryDrainCounts {
  readonly attempted_count: number
  readonly delivered_count: number
}

export interface EventDeliveryDrainOptions {
  /** Deliveries that are sent at most. */
  readonly limit: number
  readonly signal: AbortSignal
}

/**
 * Sends the due deliveries of the organization, and waits for the results. Once an attempt could have timed out it
 * claims no more: failed ones may be due again before the slowest endpoint has answered. Throws if results could not be
 * written.
 */
export async function drainEventDeliveries(
  context: EventDeliveryContext,
  { limit, signal }: EventDeliveryDrainOptions,
): Promise<EventDeliveryDrainCounts> {
  const last_claim_ms = monotonic_ms() + context.webhooks.policy.timeout_ms
  let [attempted_count, delivered_count] = [0, 0]
  while (attempted_count < limit && !signal.aborted && monotonic_ms() < last_claim_ms) {
    const { deliveries } = await claimDueEventDeliveries(context, limit - attempted_count)
    if (deliveries.length === 0) break
    const attempts = await Promise.all(deliveries.map((delivery) => sendEventDelivery(context, delivery)))
    await writeEventDeliveryResults(context, attempts, { signal })
    attempted_count += attempts.length
    delivered_count += attempts.filter(({ result }) => result.is_delivered).length
  }
  return { attempted_count, delivered_count }
}
