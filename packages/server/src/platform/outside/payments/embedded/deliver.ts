import { signWebhook } from '../webhook-signature.ts'
import { lapse } from './intents.ts'
import { keys_ms, openDesk, type Premises } from './request.ts'
import * as store from './store.events.ts'
import { lockLapsed } from './store.intents.ts'
import { forgetRequests } from './store.requests.ts'

/** Receives the body of an event with its signature; a rejection means that it was not delivered. */
export type Listener = (body: Uint8Array, signature: string) => Promise<void>

const second_ms = 1000
const first_delay_ms = 10 * second_ms
const longest_delay_ms = 3600 * second_ms
const given_up_ms = 3 * 24 * 3600 * second_ms
const forgotten_ms = 30 * 24 * 3600 * second_ms
const batch = 50

/** When an event that was not delivered is sent again: with exponential backoff, for at most three days. */
function nextAttempt({ attempts, created_at }: store.EventRow, now: Date): Date | null {
  const delay_ms = Math.min(first_delay_ms * 2 ** Math.min(attempts, 20), longest_delay_ms)
  const next = now.getTime() + delay_ms
  return next - created_at.getTime() > given_up_ms ? null : new Date(next)
}

/**
 * Sends every due event to a listener, each in its own message, signed at that moment. Delivery is recorded afterwards, so
 * a crash in between sends the event twice. Returns the number of delivered events; stops when `shouldContinue` returns
 * false.
 */
export async function deliverDue(
  { database, clock }: Premises,
  key: Uint8Array,
  listener: Listener,
  goesOn: () => boolean,
): Promise<number> {
  let heard = 0
  for (;;) {
    const due = await store.listDueEvents(database.across, clock.now(), batch)
    if (due.length === 0) return heard
    for (const event of due) {
      if (!goesOn()) return heard
      const body = new TextEncoder().encode(JSON.stringify(event.body))
      const reached = await listener(body, signWebhook(key, body, clock.now())).then(
        () => true,
        () => false,
      )
      if (reached) heard++
      await store.planEvent(database.across, event.id, reached ? null : nextAttempt(event, clock.now()))
    }
  }
}

/** Runs what happens by time alone: expires authorizations; deletes old idempotency keys and old events. */
export async function keepTime({ database, clock }: Premises): Promise<void> {
  const now = clock.now()
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  await database.across.transaction(async (tx) => {
    for (const row of await lockLapsed(tx, clock.times(), batch)) await lapse(openDesk(tx, clock), row)
    await forgetRequests(tx, before(keys_ms))
    await store.forgetEvents(tx, before(forgotten_ms))
  })
}
