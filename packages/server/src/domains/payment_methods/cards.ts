import type { PaymentMethod } from '@swath/contract/shapes/payment-method.ts'
import { Problem } from '../../engine/problem.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Payments } from '../../platform/outside/payments/payments.ts'
import { findCard, findCustomer, findDefaultCard, type CardRow } from './store.ts'

export {
  changeCard,
  findCard,
  findCardNamed,
  findCardOwner,
  findDefaultCard,
  markDetached,
  type CardRow,
} from './store.ts'

/** What the processor needs to charge a saved card: who the organization is to it, and which card. */
export interface ChargeableCard {
  readonly card: CardRow
  readonly customer: string
}

/** The default card of an organization at the processor of the house; null where there is none. */
export async function findChargeableCard(
  db: Queryable,
  organization: string,
  payments: Payments,
): Promise<ChargeableCard | null> {
  const card = await findDefaultCard(db, organization, payments.env)
  return card && withCustomer(db, organization, card)
}

/** The same for one card. Throws where its processor does not know the organization, which no saved card can lead to. */
export async function withCustomer(db: Queryable, organization: string, card: CardRow): Promise<ChargeableCard> {
  const customer = await findCustomer(db, organization, card.env)
  if (customer === null) throw new Problem('payment-declined', 'The card belongs to no customer of the processor.')
  return { card, customer }
}

/** A card as it goes over the wire. */
export const paymentMethodOf = (row: CardRow): PaymentMethod => ({
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

/** A saved card of the organization at the processor of the house, detached or not. Throws `not-found`. */
export async function requireCard(
  db: Queryable,
  organization: string,
  id: string,
  payments: Payments,
): Promise<CardRow> {
  const card = await findCard(db, organization, id)
  if (card?.env === payments.env) return card
  throw new Problem('not-found', `No saved card has the id "${id}".`)
}

/** The same for a card that can still be charged. */
export async function requireAttached(
  db: Queryable,
  organization: string,
  id: string,
  payments: Payments,
): Promise<CardRow> {
  const card = await requireCard(db, organization, id, payments)
  if (card.detached_at === null) return card
  throw new Problem('not-found', `The card "${id}" was detached.`)
}

/** What an event says of a card. */
export const cardData = ({ kind, brand, last4, exp_month, exp_year, is_default }: CardRow) => ({
  kind,
  brand,
  last4,
  exp_month,
  exp_year,
  isDefault: is_default,
})

/** Who the organization is to the processor of the house; null before its first card. */
export const findCustomerOf = (db: Queryable, organization: string, payments: Payments): Promise<string | null> =>
  findCustomer(db, organization, payments.env)
