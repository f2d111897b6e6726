import type { Queryable } from '../../platform/database/database.ts'
import { auditEntry, auditSnapshot, createLedgerAudit, type LedgerFault } from './audit.ts'
import { readJournalPages } from './journal.ts'
import { findLedgerSnapshot } from './store.snapshot.ts'

export interface LedgerAuditResult {
  readonly valid: boolean
  readonly entries: number
  /** The last entry of the journal. */
  readonly head: { readonly position: number; readonly hash: string }
  /** At most 100. */
  readonly faults: readonly LedgerFault[]
}

/**
 * Checks every journal entry of an organization, then the stored balances, lots and holds. The stored values are read
 * first, and the journal only up to its end at that moment, so that no lock is needed and concurrent writes do no harm.
 */
export async function verifyLedger(
  db: Queryable,
  organization: string,
  signal?: AbortSignal,
): Promise<LedgerAuditResult> {
  const snapshot = await findLedgerSnapshot(db, organization)
  const audit = createLedgerAudit()
  for await (const page of readJournalPages(db, organization, { after: 0, until: snapshot.last })) {
    signal?.throwIfAborted()
    for (const entry of page) auditEntry(audit, entry)
  }
  auditSnapshot(audit, snapshot)
  return { valid: audit.faultCount === 0, entries: audit.entries, head: audit.last, faults: audit.reportedFaults }
}
