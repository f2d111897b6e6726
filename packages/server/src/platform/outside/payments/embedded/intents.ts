import { randomText } from '../../../ids.ts'
import { PaymentsFailure, type ChargeTerms, type Intent, type Refund, type RefundTerms } from '../payments.ts'
import { isExpired, publishedCards } from './cards.ts'
import { chargeThing, intentThing, record } from './events.ts'
import { lockCustomer, missing, ownMethod } from './people.ts'
import type { Desk, Told } from './request.ts'
import * as store from './store.intents.ts'
import { findMethod, type MethodRow } from './store.people.ts'

/** The minimum and maximum amounts that Stripe charges in Australian dollars. */
export const least_cents = 50
const most_cents = 99_999_999

export const challengePath = '/processor/challenge'

const invalid = (sentence: string, code: string, intent: string | null = null): PaymentsFailure =>
  new PaymentsFailure('invalid', sentence, { code, intent })

/** The public representation of an intent. */
export const intentOf = (row: store.IntentRow): Intent => ({
  id: row.id,
  status: row.status,
  client_secret: row.client_secret,
  amount_cents: row.amount_cents,
  captured_cents: row.captured_cents,
  refunded_cents: row.refunded_cents,
  payment_method: row.payment_method,
  capture_before: row.capture_before,
  decline_code: row.decline_code,
  challenge_url: row.status === 'requires_action' ? `${challengePath}/${row.client_secret}` : null,
  metadata: row.metadata,
})

/** An intent from its stored JSON, with its date parsed. */
export const retold = (told: Told<Intent>): Intent => ({
  ...told,
  capture_before: told.capture_before === null ? null : new Date(told.capture_before),
})

const eventOf: Readonly<Partial<Record<store.IntentRow['status'], string>>> = {
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  requires_capture: 'payment_intent.amount_capturable_updated',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
}

/** Sends an event for every state transition. */
async function announce(desk: Desk, row: store.IntentRow): Promise<store.IntentRow> {
  await record(desk, eventOf[row.status]!, intentThing(row))
  return row
}

async function move(desk: Desk, row: store.IntentRow, change: Partial<store.IntentRow>): Promise<store.IntentRow> {
  const moved = { ...row, ...change }
  await store.saveIntent(desk.tx, moved)
  return announce(desk, moved)
}

type Change = Pick<store.IntentRow, 'status' | 'captured_cents' | 'capture_before' | 'decline_code'>

const nothing = { captured_cents: 0, capture_before: null, decline_code: null } as const

const declined = (decline_code: string): Change => ({ ...nothing, status: 'requires_payment_method', decline_code })

/** The bank approves: the money is authorized, or captured immediately. */
export function approved(terms: Pick<ChargeTerms, 'amount_cents' | 'capture'>, behaviour: string, now: Date): Change {
  if (terms.capture === 'automatic') return { ...nothing, status: 'succeeded', captured_cents: terms.amount_cents }
  const capture_before = new Date(now.getTime() + publishedCards[behaviour]!.authorised_ms)
  return { ...nothing, status: 'requires_capture', capture_before }
}

function judge(terms: ChargeTerms, method: MethodRow, now: Date): Change {
  if (isExpired(method, now)) return declined('expired_card')
  const { verdict } = publishedCards[method.behaviour]!
  if (verdict === 'declined') return declined('card_declined')
  return verdict === 'challenge' ? { ...nothing, status: 'requires_action' } : approved(terms, method.behaviour, now)
}

/** An attempt to charge a card; a declined one is an intent as well, which waits for another payment method. */
export async function chargeCard(desk: Desk, terms: ChargeTerms): Promise<Intent> {
  const { amount_cents, capture, metadata, customer } = terms
  checkAmount(amount_cents)
  const { organization_id } = await lockCustomer(desk, customer)
  const method = await ownMethod(desk, customer, terms.payment_method)
  const id = `pi_${randomText(24)}`
  const row: store.IntentRow = {
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
    created_at: desk.now,
    ...judge(terms, method, desk.timeOf(organization_id)),
  }
  await store.insertIntent(desk.tx, row)
  return intentOf(await announce(desk, row))
}

function checkAmount(cents: number): void {
  if (!Number.isSafeInteger(cents))
    throw invalid('The amount must be an integer number of cents.', 'parameter_invalid_integer')
  if (cents < least_cents) throw invalid(`The amount must be at least ${least_cents} cents.`, 'amount_too_small')
  if (cents > most_cents) throw invalid(`The amount must be at most ${most_cents} cents.`, 'amount_too_large')
}

const isLapsed = ({ status, capture_before }: store.IntentRow, now: Date): boolean =>
  status === 'requires_capture' && capture_before !== null && capture_before.getTime() <= now.getTime()

/** The authorization has expired at the bank. */
export const lapse = (desk: Desk, row: store.IntentRow): Promise<store.IntentRow> =>
  move(desk, row, { status: 'canceled', capture_before: null, cancelled_because: 'expired' })

/** The current intent, locked until the end of the request. */
export async function openIntent(desk: Desk, id: string): Promise<store.IntentRow> {
  const row = await store.lockIntent(desk.tx, id)
  if (!row) throw missing('payment intent')
  return isLapsed(row, desk.timeOf(row.organization_id)) ? lapse(desk, row) : row
}

const unexpected = ({ id, status }: store.IntentRow): PaymentsFailure =>
  invalid(`The payment intent is ${status}.`, 'payment_intent_unexpected_state', id)

export async function captureIntent(desk: Desk, id: string, amount_cents: number): Promise<Intent> {
  const row = await openIntent(desk, id)
  if (row.cancelled_because === 'expired') {
    throw invalid('The authorization has expired.', 'capture_expired', id)
  }
  if (row.status !== 'requires_capture') throw unexpected(row)
  if (!Number.isSafeInteger(amount_cents) || amount_cents < 1) {
    throw invalid(
      'The captured amount must be at least one cent; cancel the intent to release the authorization.',
      'amount_too_small',
      id,
    )
  }
  if (amount_cents > row.amount_cents)
    throw invalid('The captured amount must not exceed the authorized amount.', 'amount_too_large', id)
  return intentOf(await move(desk, row, { status: 'succeeded', captured_cents: amount_cents, capture_before: null }))
}

export async function cancelIntent(desk: Desk, id: string): Promise<Intent> {
  const row = await openIntent(desk, id)
  if (row.status === 'canceled') return intentOf(row)
  if (row.status === 'succeeded') throw unexpected(row)
  return intentOf(await move(desk, row, { status: 'canceled', capture_before: null, cancelled_because: 'requested' }))
}

export async function refundIntent(desk: Desk, { intent, amount_cents, metadata }: RefundTerms): Promise<Refund> {
  const row = await openIntent(desk, intent)
  if (row.status !== 'succeeded') throw unexpected(row)
  const left = row.captured_cents - row.refunded_cents
  if (left === 0) throw invalid('The charge has already been refunded completely.', 'charge_already_refunded', intent)
  if (!Number.isSafeInteger(amount_cents) || amount_cents < 1 || amount_cents > left) {
    throw invalid(`The refunded amount must be from 1 to ${left} cents.`, 'amount_too_large', intent)
  }
  const moved = { ...row, refunded_cents: row.refunded_cents + amount_cents }
  const refund = { id: `re_${randomText(24)}`, amount_cents }
  await store.saveIntent(desk.tx, moved)
  await store.insertRefund(desk.tx, { ...refund, intent, metadata }, desk.now)
  await record(desk, 'charge.refunded', chargeThing(moved))
  return { ...refund, status: 'succeeded' }
}

export type ChallengeState = 'open' | 'completed' | 'failed' | 'over'

/** The data for the page of a challenge. */
export interface Challenge {
  readonly state: ChallengeState
  readonly amount_cents: number
}

const stateOf: Readonly<Partial<Record<store.IntentRow['status'], ChallengeState>>> = {
  requires_action: 'open',
  requires_capture: 'completed',
  succeeded: 'completed',
  requires_payment_method: 'failed',
}

const challengeOf = ({ status, amount_cents }: store.IntentRow): Challenge => ({
  state: stateOf[status] ?? 'over',
  amount_cents,
})

export async function findChallenge({ tx }: Desk, secret: string): Promise<Challenge | null> {
  const row = await store.lockIntentOfSecret(tx, secret)
  return row && challengeOf(row)
}

/** The response of the card holder to the bank. The first one counts; later ones have no effect. */
export async function settleChallenge(
  desk: Desk,
  secret: string,
  answer: 'complete' | 'fail',
): Promise<Challenge | null> {
  const row = await store.lockIntentOfSecret(desk.tx, secret)
  if (row?.status !== 'requires_action') return row && challengeOf(row)
  const method = await findMethod(desk.tx, row.payment_method)
  const change =
    answer === 'complete'
      ? approved(row, method!.behaviour, desk.timeOf(row.organization_id))
      : declined('authentication_failed')
  return challengeOf(await move(desk, row, change))
}
