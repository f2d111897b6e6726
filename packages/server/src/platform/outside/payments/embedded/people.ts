import { randomText } from '../../../ids.ts'
import { PaymentsFailure, type Card, type CustomerTerms, type SetupIntent } from '../payments.ts'
import { expiryOf, methodId, publishedCards } from './cards.ts'
import { methodThing, record, setupThing } from './events.ts'
import type { Desk } from './request.ts'
import * as store from './store.people.ts'

const missing = (what: string): PaymentsFailure =>
  new PaymentsFailure('not-found', `There is no such ${what}.`, { code: 'resource_missing' })

export async function openCustomer({ tx, now }: Desk, terms: CustomerTerms): Promise<{ id: string }> {
  const id = `cus_${randomText(14)}`
  await store.insertCustomer(tx, { id, ...terms }, now)
  return { id }
}

async function lockCustomer({ tx }: Desk, id: string): Promise<store.CustomerRow> {
  const row = await store.lockCustomer(tx, id)
  if (!row) throw missing('customer')
  return row
}

/** The setup intent needs no confirmation: the next card that the customer attaches completes it. */
export async function openSetupIntent(desk: Desk, customer: string): Promise<SetupIntent> {
  const { id: owner } = await lockCustomer(desk, customer)
  const id = `seti_${randomText(24)}`
  const row = { id, client_secret: `${id}_secret_${randomText(24)}`, status: 'requires_payment_method' }
  await store.insertSetupIntent(desk.tx, { ...row, customer: owner }, desk.now)
  return row
}

const cardOf = ({ id, brand, last4, exp_month, exp_year }: store.MethodRow): Card => ({
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
export async function ownMethod(desk: Desk, customer: string, given: string): Promise<store.MethodRow> {
  const row = await store.findMethod(desk.tx, methodId(given))
  if (!row || row.customer !== customer) throw missing('payment method')
  if (row.detached_at) {
    throw new PaymentsFailure('invalid', 'The payment method was detached.', { code: 'payment_method_unattached' })
  }
  return row
}

/** Saves a test card as a new payment method of the customer; an existing payment method is returned as it is. */
export async function attachCard(desk: Desk, customer: string, given: string): Promise<Card> {
  const owner = await lockCustomer(desk, customer)
  const behaviour = methodId(given)
  if (!Object.hasOwn(publishedCards, behaviour)) return cardOf(await ownMethod(desk, customer, given))
  const card = publishedCards[behaviour]!
  if (!card.attaches) {
    throw new PaymentsFailure('declined', 'The bank declined saving the card.', { code: 'card_declined' })
  }
  const { brand, last4 } = card
  const facts = {
    id: `pm_${randomText(24)}`,
    customer,
    behaviour,
    brand,
    last4,
    ...expiryOf(card, desk.timeOf(owner.organization_id)),
  }
  const row: store.MethodRow = { ...facts, detached_at: null }
  await store.insertMethod(desk.tx, row, desk.now)
  await record(desk, 'payment_method.attached', methodThing(row))
  const setup = await store.completeSetupIntent(desk.tx, customer)
  if (setup !== null) await record(desk, 'setup_intent.succeeded', setupThing(setup, owner, row.id))
  return cardOf(row)
}

/** The current state of a saved card; null if it was detached or never saved. */
export async function findCard({ tx }: Desk, given: string): Promise<Card | null> {
  const row = await store.findMethod(tx, methodId(given))
  return row && row.detached_at === null ? cardOf(row) : null
}

/** The bank issued a renewed card, which the card networks report automatically. */
export async function renewCard(desk: Desk, given: string, end: store.CardEnd): Promise<void> {
  const row = await store.renewMethod(desk.tx, methodId(given), end)
  if (!row) throw missing('payment method')
  await record(desk, 'payment_method.automatically_updated', methodThing(row))
}

export async function chooseDefault(desk: Desk, customer: string, given: string): Promise<void> {
  await lockCustomer(desk, customer)
  const { id } = await ownMethod(desk, customer, given)
  await store.setDefaultMethod(desk.tx, customer, id)
}

/** Idempotent: detaching again has no effect. */
export async function detachCard(desk: Desk, given: string): Promise<void> {
  const found = await store.findMethod(desk.tx, methodId(given))
  if (!found) throw missing('payment method')
  const owner = await lockCustomer(desk, found.customer)
  if (!(await store.detachMethod(desk.tx, found.id, desk.now))) return
  if (owner.default_method === found.id) await store.setDefaultMethod(desk.tx, owner.id, null)
  await record(desk, 'payment_method.detached', methodThing(found))
}

export { lockCustomer, missing }
