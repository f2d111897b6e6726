import type { Queryable } from '../../platform/database/database.ts'
import { auditEntry, auditKept, beginAudit, type LedgerFault } from './audit.ts'
import { pagesOf } from './journal.ts'
import { readKept } from './store.kept.ts'

export interface Verdict {
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
export async function verifyLedger(db: Queryable, organization: string, signal?: AbortSignal): Promise<Verdict> {
  const kept = await readKept(db, organization)
  const audit = beginAudit()
  for await (const page of pagesOf(db, organization, { after: 0, until: kept.last })) {
    signal?.throwIfAborted()
    for (const entry of page) auditEntry(audit, entry)
  }
  auditKept(audit, kept)
  return { valid: audit.faults === 0, entries: audit.entries, head: audit.last, faults: audit.found }
}
