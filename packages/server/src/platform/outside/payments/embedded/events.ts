import { newId } from '../../../ids.ts'
import type { Desk } from './request.ts'
import type { CustomerRow, MethodRow } from './store.people.ts'
import { insertEvent } from './store.events.ts'
import type { DisputeRow, IntentRow } from './store.intents.ts'

type Thing = Readonly<Record<string, unknown>>

/** An intent as a Stripe object, with the fields that are used here. */
export const intentThing = (row: IntentRow): Thing => ({
  object: 'payment_intent',
  id: row.id,
  amount: row.amount_cents,
  amount_received: row.captured_cents,
  currency: 'aud',
  customer: row.customer,
  payment_method: row.payment_method,
  status: row.status,
  metadata: row.metadata,
})

/**
 * The charge of an intent has the same id with another prefix. The part that a partial capture released counts as refunded
 * at Stripe.
 */
export const chargeThing = (row: IntentRow): Thing => ({
  object: 'charge',
  id: row.id.replace(/^pi_/, 'ch_'),
  payment_intent: row.id,
  amount: row.amount_cents,
  amount_captured: row.captured_cents,
  amount_refunded: row.amount_cents - row.captured_cents + row.refunded_cents,
  currency: 'aud',
})

export const disputeThing = (row: DisputeRow): Thing => ({
  object: 'dispute',
  id: row.id,
  payment_intent: row.intent,
  amount: row.amount_cents,
  currency: 'aud',
  status: row.status === 'open' ? 'needs_response' : row.status,
})

export const methodThing = (row: MethodRow): Thing => ({
  object: 'payment_method',
  id: row.id,
  customer: row.customer,
  card: { brand: row.brand, last4: row.last4, exp_month: row.exp_month, exp_year: row.exp_year },
})

export const setupThing = (id: string, customer: CustomerRow, method: string): Thing => ({
  object: 'setup_intent',
  id,
  customer: customer.id,
  payment_method: method,
  status: 'succeeded',
})

/** Stores an event to be sent, in the transaction of the change itself. */
export async function record({ tx, now }: Desk, type: string, object: Thing): Promise<void> {
  const id = `evt_${newId().replaceAll('-', '')}`
  const created = Math.floor(now.getTime() / 1000)
  await insertEvent(tx, id, { object: 'event', id, type, created, livemode: false, data: { object } }, now)
}
