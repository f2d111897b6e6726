import { second_ms } from '@swath/geo/time-units.ts'
import type { OrganizationCurrentTimes } from '../../../clock.ts'
import { signWebhookBody } from '../webhook-signature.ts'
import { expirePaymentIntent } from './intents.ts'
import {
  idempotency_key_lifetime_ms,
  createPaymentProcessorTx,
  type EmbeddedPaymentProcessorDependencies,
  type PaymentProcessorTx,
} from './processor-tx.ts'
import * as store from './store.events.ts'
import { markPaymentAuthorizationsEnded, lockExpiredCardAuthorizations } from './store.intents.ts'
import { deleteOldIdempotentRequests } from './store.requests.ts'

/** Receives the body of an event with its signature; a rejection means that it was not delivered. */
export type PaymentProcessorWebhookListener = (body: Uint8Array, signature: string) => Promise<void>

const min_retry_delay_ms = 10 * second_ms
const max_retry_delay_ms = 3600 * second_ms
const max_retry_age_ms = 3 * 24 * 3600 * second_ms
const event_retention_ms = 30 * 24 * 3600 * second_ms
const batch_size = 50

/** The time when an undelivered event is sent again: with exponential backoff, for at most three days. */
function nextAttemptAt({ attempts, created_at }: store.PaymentProcessorEventRow, now: Date): Date | null {
  const delay_ms = Math.min(min_retry_delay_ms * 2 ** Math.min(attempts, 20), max_retry_delay_ms)
  const next = now.getTime() + delay_ms
  return next - created_at.getTime() > max_retry_age_ms ? null : new Date(next)
}

/** The events to deliver, and their listener. */
export interface ProcessorEventDelivery {
  readonly key: Uint8Array
  /** A sandbox organization; null: all others. */
  readonly sandbox: string | null
  readonly listener: PaymentProcessorWebhookListener
  readonly shouldContinue: () => boolean
}

/**
 * Sends every due event to a listener, each in its own message, signed at that moment. Delivery is recorded afterwards, so
 * a crash in between sends the event twice. Returns the number of delivered events; stops when `shouldContinue` returns
 * false.
 */
export async function deliverDuePaymentProcessorEvents(
  { database, clock }: EmbeddedPaymentProcessorDependencies,
  { key, sandbox, listener, shouldContinue }: ProcessorEventDelivery,
): Promise<number> {
  const now = (): Date => (sandbox === null ? clock.now() : clock.forOrganization(sandbox).now())
  let delivered = 0
  for (;;) {
    const due = await store.listDuePaymentProcessorEvents(database.unscoped, sandbox, now(), batch_size)
    if (due.length === 0) return delivered
    for (const event of due) {
      if (!shouldContinue()) return delivered
      const body = new TextEncoder().encode(JSON.stringify(event.body))
      const isDelivered = await listener(body, signWebhookBody(key, body, clock.now())).then(
        () => true,
        () => false,
      )
      if (isDelivered) delivered++
      await store.updatePaymentProcessorEventSchedule(
        database.unscoped,
        event.id,
        isDelivered ? null : nextAttemptAt(event, now()),
      )
    }
  }
}

/** Runs what happens by time alone: expires authorizations; deletes old idempotency keys and old events. */
export async function runDueProcessorWork({ database, clock }: EmbeddedPaymentProcessorDependencies): Promise<void> {
  const now = clock.now()
  const timeAgo = (ms: number): Date => new Date(now.getTime() - ms)
  await database.unscoped.transaction(async (tx) => {
    await expireDueIntents(createPaymentProcessorTx(tx, clock), clock.times())
    await deleteOldIdempotentRequests(tx, timeAgo(idempotency_key_lifetime_ms))
    await store.deleteOldPaymentProcessorEvents(tx, timeAgo(event_retention_ms))
  })
}

async function expireDueIntents(processorTx: PaymentProcessorTx, times: OrganizationCurrentTimes): Promise<void> {
  for (const row of await lockExpiredCardAuthorizations(processorTx.tx, times, batch_size))
    await expirePaymentIntent(processorTx, row)
}

/** Expires the due authorizations of a sandbox organization. */
export const expireSandboxCardAuthorizations = (
  { database, clock }: EmbeddedPaymentProcessorDependencies,
  sandbox: string,
): Promise<void> =>
  database.unscoped.transaction((tx) => expireDueIntents(createPaymentProcessorTx(tx, clock), clock.timesOf(sandbox)))

/** Ends the open authorizations of a sandbox organization now. */
export const endSandboxPaymentAuthorizations = (
  { database, clock }: EmbeddedPaymentProcessorDependencies,
  sandbox: string,
): Promise<void> =>
  database.unscoped.transaction((tx) =>
    markPaymentAuthorizationsEnded(tx, sandbox, clock.forOrganization(sandbox).now()),
  )
