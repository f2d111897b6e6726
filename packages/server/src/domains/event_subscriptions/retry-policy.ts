import { hour_ms, minute_ms } from '@swath/geo/time-units.ts'
import { shiftTime, type OrganizationTime } from '../../platform/clock.ts'
import { randomIntegerBelow } from '../../platform/ids.ts'
import type { EventDeliveryRetryPolicy } from './webhook-services.ts'

/** Deliveries that one endpoint receives at once while it accepts them; one, once it fails. */
export const max_concurrent_deliveries = 10
/**
 * Deliveries of an organization in progress at once. Its active subscriptions share them equally, so slow endpoints never use
 * what others need: it is more than there may be subscriptions.
 */
export const max_deliveries_in_progress_per_organization = 512
/** The timeout of resolving and connecting, within that of the attempt. */
export const webhook_connect_timeout_ms = 3000
/** A delivery without a result is sent again after the timeout of its attempt and this time. */
export const event_delivery_lease_margin_ms = 10_000
/** Outages in a row after which an endpoint counts as down. */
export const outages_until_endpoint_held = 5
/** A longer pause than an endpoint may ask for. */
const max_pause_ms = 24 * hour_ms
/** Delays are up to this part longer, so that deliveries that failed together are not retried together. */
const max_jitter = 0.2

export const warn_event_subscription_after_ms = 24 * hour_ms
export const disable_event_subscription_after_ms = 5 * 24 * hour_ms

/** The number of concurrent deliveries to a working endpoint, in an organization with so many active subscriptions. */
export const computeMaxConcurrentEventDeliveries = (subscriptions: number): number =>
  Math.max(
    1,
    Math.min(
      max_concurrent_deliveries,
      Math.floor(max_deliveries_in_progress_per_organization / Math.max(1, subscriptions)),
    ),
  )

/** The time of the next attempt after `attempts` failed; null if none is left. */
export function computeNextAttemptAt(
  { retry_delays_s }: EventDeliveryRetryPolicy,
  attempts: number,
  now: OrganizationTime,
  pause_ms: number | null,
): OrganizationTime | null {
  const delay_s = retry_delays_s[attempts]
  if (delay_s === undefined) return null
  const delay_ms = delay_s * 1000 * (1 + randomIntegerBelow(max_jitter))
  return shiftTime(now, Math.round(Math.max(delay_ms, pause_ms ?? 0)))
}

/** The lease of a delivery for the process that claimed it. */
export const computeEventDeliveryLease_ms = ({ timeout_ms }: Pick<EventDeliveryRetryPolicy, 'timeout_ms'>): number =>
  timeout_ms + event_delivery_lease_margin_ms

/** The longest duration of a schedule of attempts, after which a delivery is abandoned even if its endpoint is held. */
export const computeMaxEventDeliveryAge_ms = ({ retry_delays_s, timeout_ms }: EventDeliveryRetryPolicy): number =>
  retry_delays_s.reduce((sum, delay_s) => sum + delay_s * 1000 * (1 + max_jitter) + timeout_ms, minute_ms)

/**
 * The duration for which an endpoint is held; 0 after too few consecutive outages. Those beyond `outages_until_endpoint_held`
 * are failed probes, one after each hold.
 */
export const computeWebhookEndpointHold_ms = (
  { hold_s: [first_s, max_s] }: Pick<EventDeliveryRetryPolicy, 'hold_s'>,
  outages: number,
): number =>
  outages < outages_until_endpoint_held
    ? 0
    : 1000 * Math.min(max_s, first_s * 2 ** Math.min(20, outages - outages_until_endpoint_held))

/** The pause that a `Retry-After` header asks for, in seconds or until a date, at most a day; null if it has none. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const pause_ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isNaN(pause_ms) ? null : Math.min(max_pause_ms, Math.max(0, pause_ms))
}
