import { adminInvoicesCreditOperation } from '@swath/contract/operations/admin.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { requireWithinMaxCredits } from '../../billing/max-credits.ts'
import { audToCents } from '../../ledger/aud.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { creditInvoice, requireInvoice } from '../../invoicing/documents/credit-invoice.ts'
import { toBillingInvoice, requireBillingDocument } from '../../invoicing/documents/invoice-response.ts'
import type { DocumentIssuer } from '../../invoicing/documents/issue-document.ts'
import { flushLedgerSession, openLedgerSession } from '../../ledger/ledger-session.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'

export const handler = defineHandler(adminInvoicesCreditOperation, async (call, input) => {
  const { invoice_id, amount_aud, reason: description, max_credits, dry_run } = input
  const actor = await toActorInOrganization(call, input.organization_id)
  const { organization } = actor
  const readDocuments = async (db: SqlStatementRunner, credit_note_id: string) => {
    const read = async (id: string) =>
      toBillingInvoice(db, organization, await requireBillingDocument(db, organization, id))
    return { credit_note: await read(credit_note_id), invoice: await read(invoice_id) }
  }
  const existingId = call.claim?.recoveryData['credit_note_id']
  if (typeof existingId === 'string') return readDocuments(call.unscoped, existingId)
  const options = { description, max_credits, ...(amount_aud ? { cents: audToCents(amount_aud, 'amount_aud') } : {}) }
  return runTransactionOrDryRun(call.unscoped, { organization, dry_run }, async (tx) =>
    readDocuments(tx, await createCreditNote(tx, call, actor, { invoice_id, ...options })),
  )
})

interface CreditNoteInput {
  readonly invoice_id: string
  readonly description: string
  readonly cents?: number
  readonly max_credits?: number | null | undefined
}

async function createCreditNote(
  tx: Tx,
  call: Call,
  actor: DocumentIssuer,
  { invoice_id, max_credits, ...options }: CreditNoteInput,
): Promise<string> {
  const ledger = await openLedgerSession(tx, actor)
  const creditNote = await creditInvoice(ledger, actor.seller, await requireInvoice(ledger, invoice_id), options)
  requireWithinMaxCredits(creditNote.total_cents, max_credits)
  await flushLedgerSession(ledger)
  await call.claim?.checkpoint(tx, 'reserved', { credit_note_id: creditNote.id })
  return creditNote.id
}
