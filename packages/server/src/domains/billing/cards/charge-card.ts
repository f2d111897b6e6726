import { invariant } from '../../../engine/problem.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { ChargeTerms, Intent, Payments } from '../../../platform/outside/payments/payments.ts'
import { findCard, withCustomer } from '../../payment_methods/cards.ts'
import { isRefusal } from './payment-problems.ts'

/** The charge request for a saved card; every retry must build the same one, because the idempotency key stands for it. */
export async function termsOfCharge(
  db: Queryable,
  organization: string,
  payment_method_id: string,
  charge: Omit<ChargeTerms, 'customer' | 'payment_method'>,
): Promise<ChargeTerms> {
  const card = await findCard(db, organization, payment_method_id)
  invariant(card, 'a charge refers to a saved card')
  const { customer } = await withCustomer(db, organization, card)
  return { customer, payment_method: card.payment_method_id, ...charge }
}

/** Retrieves the intent of a charge, or creates it under the idempotency key if it is not known yet. */
export async function askIntent(
  payments: Payments,
  intent: string | null,
  terms: () => Promise<ChargeTerms>,
  key: string,
): Promise<Intent> {
  if (intent !== null) return payments.find(intent)
  const first = await payments.charge(await terms(), key)
  // A repeated key returns the first response, but the cardholder may have acted since.
  return payments.find(first.id)
}

/** The intent of a charge whose response may have been lost; null if the card was declined and there is none. */
export async function recoverIntent(payments: Payments, terms: ChargeTerms, key: string): Promise<string | null> {
  try {
    return (await payments.charge(terms, key)).id
  } catch (error) {
    if (isRefusal(error)) return error.intent
    throw error
  }
}
