import { randomText } from '../../../ids.ts'
import {
  PaymentsFailure,
  type ChargeRequest,
  type PaymentIntent,
  type PaymentProcessorRefund,
  type RefundRequest,
} from '../payments.ts'
import { isCardExpired, test_cards } from './test-cards.ts'
import { toStripeCharge, toStripeIntent, recordPaymentProcessorEvent } from './events.ts'
import { lockCustomer, notFound, requireCustomerPaymentMethod } from './customers.ts'
import type { PaymentProcessorTx, JsonRoundTrip } from './processor-tx.ts'
import * as store from './store.intents.ts'
import { findPaymentMethod, type PaymentMethodRow } from './store.customers.ts'

/** The minimum and maximum amounts that Stripe charges in Australian dollars. */
export const min_charge_cents = 50
const max_charge_cents = 99_999_999

export const cardChallengePath = '/processor/challenge'

const invalid = (sentence: string, code: string, intent: string | null = null): PaymentsFailure =>
  new PaymentsFailure('invalid', sentence, { code, intent })

/** The public representation of an intent. */
export const rowToPaymentIntent = (row: store.PaymentIntentRow): PaymentIntent => ({
  id: row.id,
  status: row.status,
  client_secret: row.client_secret,
  amount_cents: row.amount_cents,
  captured_cents: row.captured_cents,
  refunded_cents: row.refunded_cents,
  payment_method: row.payment_method,
  capture_before: row.capture_before,
  decline_code: row.decline_code,
  challenge_url: row.status === 'requires_action' ? `${cardChallengePath}/${row.client_secret}` : null,
  metadata: row.metadata,
})

/** An intent from its stored JSON, with its date parsed. */
export const parsePaymentIntentJson = (recorded: JsonRoundTrip<PaymentIntent>): PaymentIntent => ({
  ...recorded,
  capture_before: recorded.capture_before === null ? null : new Date(recorded.capture_before),
})

const status_events: Readonly<Partial<Record<store.PaymentIntentRow['status'], string>>> = {
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  requires_capture: 'payment_intent.amount_capturable_updated',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
}

/** Sends an event for every state transition. */
async function recordIntentEvent(
  processorTx: PaymentProcessorTx,
  row: store.PaymentIntentRow,
): Promise<store.PaymentIntentRow> {
  await recordPaymentProcessorEvent(processorTx, row.organization_id, status_events[row.status]!, toStripeIntent(row))
  return row
}

async function updateIntent(
  processorTx: PaymentProcessorTx,
  row: store.PaymentIntentRow,
  change: Partial<store.PaymentIntentRow>,
): Promise<store.PaymentIntentRow> {
  const updated = { ...row, ...change }
  await store.updatePaymentIntentRow(processorTx.tx, updated)
  return recordIntentEvent(processorTx, updated)
}

type IntentChange = Pick<store.PaymentIntentRow, 'status' | 'captured_cents' | 'capture_before' | 'decline_code'>

const no_change = { captured_cents: 0, capture_before: null, decline_code: null } as const

const declinedChange = (decline_code: string): IntentChange => ({
  ...no_change,
  status: 'requires_payment_method',
  decline_code,
})

/** The bank approves: the money is authorized, or captured immediately. */
export function toApprovedIntentChange(
  request: Pick<ChargeRequest, 'amount_cents' | 'capture'>,
  behaviour: string,
  now: Date,
): IntentChange {
  if (request.capture === 'automatic')
    return { ...no_change, status: 'succeeded', captured_cents: request.amount_cents }
  const capture_before = new Date(now.getTime() + test_cards[behaviour]!.authorization_ms)
  return { ...no_change, status: 'requires_capture', capture_before }
}

function decideCharge(request: ChargeRequest, method: PaymentMethodRow, now: Date): IntentChange {
  if (isCardExpired(method, now)) return declinedChange('expired_card')
  const { decision } = test_cards[method.behaviour]!
  if (decision === 'declined') return declinedChange('card_declined')
  return decision === 'challenge'
    ? { ...no_change, status: 'requires_action' }
    : toApprovedIntentChange(request, method.behaviour, now)
}

/** An attempt to charge a card; a declined one is an intent as well, which waits for another payment method. */
export async function chargeCard(processorTx: PaymentProcessorTx, request: ChargeRequest): Promise<PaymentIntent> {
  const { amount_cents, capture, metadata, customer } = request
  checkAmount(amount_cents)
  const { organization_id } = await lockCustomer(processorTx, customer)
  const method = await requireCustomerPaymentMethod(processorTx, customer, request.payment_method)
  const id = `pi_${randomText(24)}`
  const row: store.PaymentIntentRow = {
    id,
    organization_id,
    customer,
    payment_method: method.id,
    amount_cents,
    refunded_cents: 0,
    capture,
    client_secret: `${id}_secret_${randomText(24)}`,
    cancelled_because: null,
    metadata,
    created_at: processorTx.now,
    ...decideCharge(request, method, processorTx.timeOf(organization_id)),
  }
  await store.insertPaymentIntent(processorTx.tx, row)
  return rowToPaymentIntent(await recordIntentEvent(processorTx, row))
}

function checkAmount(cents: number): void {
  if (!Number.isSafeInteger(cents))
    throw invalid('The amount must be an integer number of cents.', 'parameter_invalid_integer')
  if (cents < min_charge_cents)
    throw invalid(`The amount must be at least ${min_charge_cents} cents.`, 'amount_too_small')
  if (cents > max_charge_cents)
    throw invalid(`The amount must be at most ${max_charge_cents} cents.`, 'amount_too_large')
}

const isExpiredAuthorization = ({ status, capture_before }: store.PaymentIntentRow, now: Date): boolean =>
  status === 'requires_capture' && capture_before !== null && capture_before.getTime() <= now.getTime()

/** The authorization has expired at the bank. */
export const expirePaymentIntent = (
  processorTx: PaymentProcessorTx,
  row: store.PaymentIntentRow,
): Promise<store.PaymentIntentRow> =>
  updateIntent(processorTx, row, { status: 'canceled', capture_before: null, cancelled_because: 'expired' })

/** The current intent, locked until the end of the request. */
export async function lockAndReadEmbeddedPaymentIntent(
  processorTx: PaymentProcessorTx,
  id: string,
): Promise<store.PaymentIntentRow> {
  const row = await store.lockPaymentIntent(processorTx.tx, id)
  if (!row) throw notFound('payment intent')
  return isExpiredAuthorization(row, processorTx.timeOf(row.organization_id))
    ? expirePaymentIntent(processorTx, row)
    : row
}

const unexpectedState = ({ id, status }: store.PaymentIntentRow): PaymentsFailure =>
  invalid(`The payment intent is ${status}.`, 'payment_intent_unexpected_state', id)

export async function captureEmbeddedPaymentIntent(
  processorTx: PaymentProcessorTx,
  id: string,
  amount_cents: number,
): Promise<PaymentIntent> {
  const row = await lockAndReadEmbeddedPaymentIntent(processorTx, id)
  if (row.cancelled_because === 'expired') {
    throw invalid('The authorization has expired.', 'capture_expired', id)
  }
  if (row.status !== 'requires_capture') throw unexpectedState(row)
  if (!Number.isSafeInteger(amount_cents) || amount_cents < 1) {
    throw invalid(
      'The captured amount must be at least one cent; cancel the intent to release the authorization.',
      'amount_too_small',
      id,
    )
  }
  if (amount_cents > row.amount_cents)
    throw invalid('The captured amount must not exceed the authorized amount.', 'amount_too_large', id)
  return rowToPaymentIntent(
    await updateIntent(processorTx, row, { status: 'succeeded', captured_cents: amount_cents, capture_before: null }),
  )
}

export async function cancelEmbeddedPaymentIntent(processorTx: PaymentProcessorTx, id: string): Promise<PaymentIntent> {
  const row = await lockAndReadEmbeddedPaymentIntent(processorTx, id)
  if (row.status === 'canceled') return rowToPaymentIntent(row)
  if (row.status === 'succeeded') throw unexpectedState(row)
  return rowToPaymentIntent(
    await updateIntent(processorTx, row, { status: 'canceled', capture_before: null, cancelled_because: 'requested' }),
  )
}

export async function refundEmbeddedPaymentIntent(
  processorTx: PaymentProcessorTx,
  { intent, amount_cents, metadata }: RefundRequest,
): Promise<PaymentProcessorRefund> {
  const row = await lockAndReadEmbeddedPaymentIntent(processorTx, intent)
  if (row.status !== 'succeeded') throw unexpectedState(row)
  const refundable_cents = row.captured_cents - row.refunded_cents
  if (refundable_cents === 0)
    throw invalid('The charge has already been refunded completely.', 'charge_already_refunded', intent)
  if (!Number.isSafeInteger(amount_cents) || amount_cents < 1 || amount_cents > refundable_cents) {
    throw invalid(`The refunded amount must be from 1 to ${refundable_cents} cents.`, 'amount_too_large', intent)
  }
  const updated = { ...row, refunded_cents: row.refunded_cents + amount_cents }
  const refund = { id: `re_${randomText(24)}`, amount_cents }
  await store.updatePaymentIntentRow(processorTx.tx, updated)
  await store.insertPaymentProcessorRefund(processorTx.tx, { ...refund, intent, metadata }, processorTx.now)
  await recordPaymentProcessorEvent(processorTx, row.organization_id, 'charge.refunded', toStripeCharge(updated))
  return { ...refund, status: 'succeeded' }
}

export type CardChallengeState = 'open' | 'completed' | 'failed' | 'over'

/** The data for the page of a challenge. */
export interface CardAuthenticationChallenge {
  readonly state: CardChallengeState
  readonly amount_cents: number
}

const challenge_states: Readonly<Partial<Record<store.PaymentIntentRow['status'], CardChallengeState>>> = {
  requires_action: 'open',
  requires_capture: 'completed',
  succeeded: 'completed',
  requires_payment_method: 'failed',
}

const toChallenge = ({ status, amount_cents }: store.PaymentIntentRow): CardAuthenticationChallenge => ({
  state: challenge_states[status] ?? 'over',
  amount_cents,
})

export async function findCardChallenge(
  { tx }: PaymentProcessorTx,
  secret: string,
): Promise<CardAuthenticationChallenge | null> {
  const row = await store.lockPaymentIntentBySecret(tx, secret)
  return row && toChallenge(row)
}

/** The response of the card holder to the bank. The first one counts; later ones have no effect. */
export async function settleCardChallenge(
  processorTx: PaymentProcessorTx,
  secret: string,
  holderResponse: 'complete' | 'fail',
): Promise<CardAuthenticationChallenge | null> {
  const row = await store.lockPaymentIntentBySecret(processorTx.tx, secret)
  if (row?.status !== 'requires_action') return row && toChallenge(row)
  const method = await findPaymentMethod(processorTx.tx, row.payment_method)
  const change =
    holderResponse === 'complete'
      ? toApprovedIntentChange(row, method!.behaviour, processorTx.timeOf(row.organization_id))
      : declinedChange('authentication_failed')
  return toChallenge(await updateIntent(processorTx, row, change))
}
