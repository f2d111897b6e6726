import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { findDefaultCard, requireAttached, type CardRow } from '../payment_methods/cards.ts'

/** The card to charge: the one that is named, or the default. Throws `not-found`, or `payment-declined` without any. */
export async function chosenCard(
  { db, organization, outside }: Pick<Call, 'db' | 'organization' | 'outside'>,
  row: string | null = null,
): Promise<CardRow> {
  const { payments } = outside
  if (row !== null) return requireAttached(db, organization, row, payments)
  const card = await findDefaultCard(db, organization, payments.env)
  if (card) return card
  throw new Problem('payment-declined', 'There is no card to charge: save one first.', { decline_code: null })
}
