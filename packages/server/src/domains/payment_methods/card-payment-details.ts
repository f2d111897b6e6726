import type { SqlStatementRunner } from '../../platform/database/database.ts'
import type { DocumentPayment } from '../invoicing/documents/billing-document.ts'
import { findSavedCard } from './store.ts'

/** The payment with a saved card, or refund to it, as on a document; `reference` is the id at the processor. */
export async function readCardPayment(
  db: SqlStatementRunner,
  organization: string,
  card_id: string,
  reference: string | null,
): Promise<DocumentPayment> {
  const card = await findSavedCard(db, organization, card_id)
  return { method: 'card', card_brand: card?.brand ?? null, card_last4: card?.last4 ?? null, reference }
}
