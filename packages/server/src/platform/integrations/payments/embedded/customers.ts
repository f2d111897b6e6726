import { randomText } from '../../../ids.ts'
import {
  PaymentsFailure,
  type PaymentCard,
  type PaymentProcessorCustomerDetails,
  type SetupIntent,
} from '../payments.ts'
import { computeTestCardExpiry, toPaymentMethodId, test_cards } from './test-cards.ts'
import { toStripePaymentMethod, recordPaymentProcessorEvent, toStripeSetupIntent } from './events.ts'
import type { PaymentProcessorTx } from './processor-tx.ts'
import * as store from './store.customers.ts'

const notFound = (what: string): PaymentsFailure =>
  new PaymentsFailure('not-found', `There is no such ${what}.`, { code: 'resource_missing' })

export async function createPaymentProcessorCustomer(
  { tx, now }: PaymentProcessorTx,
  request: PaymentProcessorCustomerDetails,
): Promise<{ id: string }> {
  const id = `cus_${randomText(14)}`
  await store.insertPaymentProcessorCustomer(tx, { id, ...request }, now)
  return { id }
}

async function lockCustomer({ tx }: PaymentProcessorTx, id: string): Promise<store.PaymentProcessorCustomerRow> {
  const row = await store.lockPaymentProcessorCustomer(tx, id)
  if (!row) throw notFound('customer')
  return row
}

/** The setup intent needs no confirmation: the next card that the customer attaches completes it. */
export async function createSetupIntent(processorTx: PaymentProcessorTx, customer: string): Promise<SetupIntent> {
  const { id: owner } = await lockCustomer(processorTx, customer)
  const id = `seti_${randomText(24)}`
  const row = { id, client_secret: `${id}_secret_${randomText(24)}`, status: 'requires_payment_method' }
  await store.insertSetupIntent(processorTx.tx, { ...row, customer: owner }, processorTx.now)
  return row
}

const toCard = ({ id, brand, last4, exp_month, exp_year }: store.PaymentMethodRow): PaymentCard => ({
  id,
  kind: 'card',
  brand,
  last4,
  exp_month,
  exp_year,
})

/**
 * The payment method, attached to this customer. Those of other customers count as missing; a detached one cannot be
 * attached again.
 */
export async function requireCustomerPaymentMethod(
  processorTx: PaymentProcessorTx,
  customer: string,
  methodRef: string,
): Promise<store.PaymentMethodRow> {
  const row = await store.findPaymentMethod(processorTx.tx, toPaymentMethodId(methodRef))
  if (!row || row.customer !== customer) throw notFound('payment method')
  if (row.detached_at) {
    throw new PaymentsFailure('invalid', 'The payment method was detached.', { code: 'payment_method_unattached' })
  }
  return row
}

/** Saves a test card as a new payment method of the customer; an existing payment method is returned as it is. */
export async function attachTestCard(
  processorTx: PaymentProcessorTx,
  customer: string,
  methodRef: string,
): Promise<PaymentCard> {
  const owner = await lockCustomer(processorTx, customer)
  const behaviour = toPaymentMethodId(methodRef)
  if (!Object.hasOwn(test_cards, behaviour))
    return toCard(await requireCustomerPaymentMethod(processorTx, customer, methodRef))
  const card = test_cards[behaviour]!
  if (!card.canAttach) {
    throw new PaymentsFailure('declined', 'The bank declined saving the card.', { code: 'card_declined' })
  }
  const { brand, last4 } = card
  const cardDetails = {
    id: `pm_${randomText(24)}`,
    customer,
    behaviour,
    brand,
    last4,
    ...computeTestCardExpiry(card, processorTx.timeOf(owner.organization_id)),
  }
  const row: store.PaymentMethodRow = { ...cardDetails, detached_at: null }
  await store.insertPaymentMethod(processorTx.tx, row, processorTx.now)
  await recordPaymentProcessorEvent(
    processorTx,
    owner.organization_id,
    'payment_method.attached',
    toStripePaymentMethod(row),
  )
  const setup = await store.markSetupIntentCompleted(processorTx.tx, customer)
  if (setup !== null)
    await recordPaymentProcessorEvent(
      processorTx,
      owner.organization_id,
      'setup_intent.succeeded',
      toStripeSetupIntent(setup, owner, row.id),
    )
  return toCard(row)
}

/** The current state of a saved card; null if it was detached or never saved. */
export async function findPaymentCard({ tx }: PaymentProcessorTx, methodRef: string): Promise<PaymentCard | null> {
  const row = await store.findPaymentMethod(tx, toPaymentMethodId(methodRef))
  return row && row.detached_at === null ? toCard(row) : null
}

/** The bank issued a renewed card, which the card networks report automatically. */
export async function issueRenewedCard(
  processorTx: PaymentProcessorTx,
  methodRef: string,
  expiry: store.CardExpiry,
): Promise<void> {
  const row = await store.updatePaymentMethod(processorTx.tx, toPaymentMethodId(methodRef), expiry)
  if (!row) throw notFound('payment method')
  const { organization_id } = await lockCustomer(processorTx, row.customer)
  await recordPaymentProcessorEvent(
    processorTx,
    organization_id,
    'payment_method.automatically_updated',
    toStripePaymentMethod(row),
  )
}

export async function setDefaultCard(
  processorTx: PaymentProcessorTx,
  customer: string,
  methodRef: string,
): Promise<void> {
  await lockCustomer(processorTx, customer)
  const { id } = await requireCustomerPaymentMethod(processorTx, customer, methodRef)
  await store.updateDefaultPaymentMethod(processorTx.tx, customer, id)
}

/** Idempotent: detaching again has no effect. */
export async function detachCard(processorTx: PaymentProcessorTx, methodRef: string): Promise<void> {
  const method = await store.findPaymentMethod(processorTx.tx, toPaymentMethodId(methodRef))
  if (!method) throw notFound('payment method')
  const owner = await lockCustomer(processorTx, method.customer)
  if (!(await store.markPaymentMethodDetached(processorTx.tx, method.id, processorTx.now))) return
  if (owner.default_method === method.id) await store.updateDefaultPaymentMethod(processorTx.tx, owner.id, null)
  await recordPaymentProcessorEvent(
    processorTx,
    owner.organization_id,
    'payment_method.detached',
    toStripePaymentMethod(method),
  )
}

export { lockCustomer, notFound }
