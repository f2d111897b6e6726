import { Problem } from '../../../engine/problem.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Payments } from '../../../platform/outside/payments/payments.ts'
import { findDefaultCard, requireAttached, type CardRow } from '../../payment_methods/cards.ts'

/**
 * The card to charge: the one that is named, or the default. Within a transaction that has locked the money it stays
 * attached. Throws `not-found`, or `payment-declined` where there is none.
 */
export async function chosenCard(
  db: Queryable,
  organization: string,
  payments: Payments,
  row: string | null = null,
): Promise<CardRow> {
  if (row !== null) return requireAttached(db, organization, row, payments)
  const card = await findDefaultCard(db, organization, payments.env)
  if (card) return card
  throw new Problem('payment-declined', 'There is no card to charge: save one first.', { decline_code: null })
}
