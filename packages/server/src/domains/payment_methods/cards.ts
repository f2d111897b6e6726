import type { PaymentMethod } from '@swath/contract/schemas/payment-method.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { PaymentProcessor } from '../../platform/integrations/payments/payments.ts'
import { findSavedCard, findCustomerId, findDefaultCard, type CardRow } from './store.ts'

/** A saved card with the id of its customer at the payment processor. */
export interface ChargeableCard {
  readonly card: CardRow
  readonly customer: string
}

/** The default card of an organization at the configured processor; null if there is none. */
export async function findChargeableCard(
  db: SqlStatementRunner,
  organization: string,
  payments: PaymentProcessor,
): Promise<ChargeableCard | null> {
  const card = await findDefaultCard(db, organization, payments.env)
  return card && requireChargeableCard(db, organization, card)
}

/** Adds the customer id to a card. Throws if the organization has no customer, which cannot happen for a saved card. */
export async function requireChargeableCard(
  db: SqlStatementRunner,
  organization: string,
  card: CardRow,
): Promise<ChargeableCard> {
  const customer = await findCustomerId(db, organization, card.env)
  if (customer === null)
    throw new Problem('payment-declined', 'The card does not belong to a customer of the payment processor.')
  return { card, customer }
}

/** The API representation of a card. */
export const toPaymentMethod = (row: CardRow): PaymentMethod => ({
  id: row.id,
  payment_method_id: row.payment_method_id,
  kind: row.kind,
  brand: row.brand,
  last4: row.last4,
  exp_month: row.exp_month,
  exp_year: row.exp_year,
  isDefault: row.is_default,
  created_at: row.created_at.toISOString(),
})

/** A saved card of the organization at the configured processor, detached or not. Throws `not-found`. */
export async function requireSavedCard(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  payments: PaymentProcessor,
): Promise<CardRow> {
  const card = await findSavedCard(db, organization, id)
  if (card?.env === payments.env) return card
  throw new Problem('not-found', `No saved card has the id "${id}".`)
}

/** A saved card that is not detached. Throws `not-found`. */
export async function requireAttachedCard(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  payments: PaymentProcessor,
): Promise<CardRow> {
  const card = await requireSavedCard(db, organization, id, payments)
  if (card.detached_at === null) return card
  throw new Problem('not-found', `The card "${id}" was detached.`)
}

/** The event data of a card. */
export const toCardEventData = ({ kind, brand, last4, exp_month, exp_year, is_default }: CardRow) => ({
  kind,
  brand,
  last4,
  exp_month,
  exp_year,
  isDefault: is_default,
})

/** The organization's customer id at the configured processor; null before its first card. */
export const findProcessorCustomerId = (
  db: SqlStatementRunner,
  organization: string,
  payments: PaymentProcessor,
): Promise<string | null> => findCustomerId(db, organization, payments.env)
