import type { Queryable } from '../../platform/database/database.ts'
import { auditEntry, auditKept, beginAudit, type LedgerFault } from './audit.ts'
import { pagesOf } from './journal.ts'
import { readKept } from './store.kept.ts'

export interface Verdict {
  readonly valid: boolean
  readonly entries: number
  /** The end of the chain as the journal has it. */
  readonly head: { readonly position: number; readonly hash: string }
  /** At most a hundred. */
  readonly faults: readonly LedgerFault[]
}

/**
 * Reads the whole journal of an organization and judges every entry, then the balances, lots and holds that are kept
 * beside it. What is kept is read first: the journal is followed to the end that it had then, so that what is written
 * meanwhile disturbs nothing and nothing is locked.
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
