import { assertInvariant } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { ChargeRequest, PaymentIntent, PaymentProcessor } from '../../platform/integrations/payments/payments.ts'
import { requireChargeableCard } from '../payment_methods/cards.ts'
import { findSavedCard } from '../payment_methods/store.ts'
import { isPaymentProcessorRejection } from './payment-problems.ts'

/** The charge request for a saved card; every retry must build the same one, because the idempotency key stands for it. */
export async function buildChargeRequest(
  db: SqlStatementRunner,
  organization: string,
  payment_method_id: string,
  charge: Omit<ChargeRequest, 'customer' | 'payment_method'>,
): Promise<ChargeRequest> {
  const card = await findSavedCard(db, organization, payment_method_id)
  assertInvariant(card, 'a charge refers to a saved card')
  const { customer } = await requireChargeableCard(db, organization, card)
  return { customer, payment_method: card.payment_method_id, ...charge }
}

/** Retrieves the intent of a charge, or creates it under the idempotency key if there is none yet. */
export async function createOrRetrievePaymentIntent(
  payments: PaymentProcessor,
  intent: string | null,
  chargeRequest: () => Promise<ChargeRequest>,
  key: string,
): Promise<PaymentIntent> {
  if (intent !== null) return payments.find(intent)
  const created = await payments.charge(await chargeRequest(), key)
  // A repeated key returns the first response, but the cardholder may have acted since.
  return payments.find(created.id)
}

/** The intent of a charge whose response may have been lost; null if the card was declined and there is none. */
export async function recoverPaymentIntentId(
  payments: PaymentProcessor,
  chargeRequest: ChargeRequest,
  key: string,
): Promise<string | null> {
  try {
    return (await payments.charge(chargeRequest, key)).id
  } catch (error) {
    if (isPaymentProcessorRejection(error)) return error.intent
    throw error
  }
}
