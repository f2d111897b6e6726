import { invariant } from '../../../engine/problem.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { ChargeTerms, Intent, Payments } from '../../../platform/outside/payments/payments.ts'
import { findCard, withCustomer } from '../../payment_methods/cards.ts'
import { isRefusal } from './payment-problems.ts'

/** What the processor is asked of a saved card; it must be the same for every try, because the key stands for it. */
export async function termsOfCharge(
  db: Queryable,
  organization: string,
  payment_method_id: string,
  charge: Omit<ChargeTerms, 'customer' | 'payment_method'>,
): Promise<ChargeTerms> {
  const card = await findCard(db, organization, payment_method_id)
  invariant(card, 'a charge names a saved card')
  const { customer } = await withCustomer(db, organization, card)
  return { customer, payment_method: card.payment_method_id, ...charge }
}

/** What the processor says of a charge: of its intent, or, where that is not known yet, of a charge under its key. */
export async function askIntent(
  payments: Payments,
  intent: string | null,
  terms: () => Promise<ChargeTerms>,
  key: string,
): Promise<Intent> {
  if (intent !== null) return payments.find(intent)
  const first = await payments.charge(await terms(), key)
  // The answer to a key is the first one; meanwhile the card holder may have acted.
  return payments.find(first.id)
}

/** The intent of a charge whose answer may have been lost; null where the card was refused and there is none. */
export async function recoverIntent(payments: Payments, terms: ChargeTerms, key: string): Promise<string | null> {
  try {
    return (await payments.charge(terms, key)).id
  } catch (error) {
    if (isRefusal(error)) return error.intent
    throw error
  }
}
