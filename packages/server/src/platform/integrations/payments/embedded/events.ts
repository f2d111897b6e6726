import { isSandboxId, newId } from '../../../ids.ts'
import type { PaymentProcessorTx } from './processor-tx.ts'
import type { PaymentProcessorCustomerRow, PaymentMethodRow } from './store.customers.ts'
import { insertPaymentProcessorEvent } from './store.events.ts'
import type { PaymentProcessorDisputeRow, PaymentIntentRow } from './store.intents.ts'

type StripeObject = Readonly<Record<string, unknown>>

/** An intent as a Stripe object, with the fields that are used here. */
export const toStripeIntent = (row: PaymentIntentRow): StripeObject => ({
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
export const toStripeCharge = (row: PaymentIntentRow): StripeObject => ({
  object: 'charge',
  id: row.id.replace(/^pi_/, 'ch_'),
  payment_intent: row.id,
  amount: row.amount_cents,
  amount_captured: row.captured_cents,
  amount_refunded: row.amount_cents - row.captured_cents + row.refunded_cents,
  currency: 'aud',
})

export const toStripeDispute = (row: PaymentProcessorDisputeRow): StripeObject => ({
  object: 'dispute',
  id: row.id,
  payment_intent: row.intent,
  amount: row.amount_cents,
  currency: 'aud',
  status: row.status === 'open' ? 'needs_response' : row.status,
})

export const toStripePaymentMethod = (row: PaymentMethodRow): StripeObject => ({
  object: 'payment_method',
  id: row.id,
  customer: row.customer,
  card: { brand: row.brand, last4: row.last4, exp_month: row.exp_month, exp_year: row.exp_year },
})

export const toStripeSetupIntent = (
  id: string,
  customer: PaymentProcessorCustomerRow,
  method: string,
): StripeObject => ({
  object: 'setup_intent',
  id,
  customer: customer.id,
  payment_method: method,
  status: 'succeeded',
})

/** Stores an event to be sent, in the transaction of the change itself. */
export async function recordPaymentProcessorEvent(
  { tx, now: processTime, timeOf }: PaymentProcessorTx,
  organization: string,
  type: string,
  object: StripeObject,
): Promise<void> {
  const id = `evt_${newId().replaceAll('-', '')}`
  const sandbox = isSandboxId(organization) ? organization : null
  const now = sandbox === null ? processTime : timeOf(sandbox)
  const created = Math.floor(now.getTime() / 1000)
  const body = { object: 'event', id, type, created, livemode: false, data: { object } }
  await insertPaymentProcessorEvent(tx, {
    id,
    body: sandbox === null ? body : { ...body, account: sandbox },
    sandbox,
    now,
  })
}
