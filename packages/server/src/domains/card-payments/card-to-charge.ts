import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { PaymentProcessor } from '../../platform/integrations/payments/payments.ts'
import { requireAttachedCard } from '../payment_methods/cards.ts'
import { findDefaultCard, type CardRow } from '../payment_methods/store.ts'

/**
 * The card to charge: the requested one, or the default. It stays attached within a transaction that has locked the
 * ledger. Throws `not-found`, or `payment-declined` if there is no card.
 */
export async function resolveCardToCharge(
  db: SqlStatementRunner,
  organization: string,
  payments: PaymentProcessor,
  row: string | null = null,
): Promise<CardRow> {
  if (row !== null) return requireAttachedCard(db, organization, row, payments)
  const card = await findDefaultCard(db, organization, payments.env)
  if (card) return card
  throw new Problem('payment-declined', 'There is no card to charge: save one first.', { decline_code: null })
}
