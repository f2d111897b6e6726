import { Problem } from '../../engine/problem.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Payments } from '../../platform/outside/payments/payments.ts'
import { findCustomer, findDefaultCard, type CardRow } from './store.ts'

export { findCard, findDefaultCard, type CardRow } from './store.ts'

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
