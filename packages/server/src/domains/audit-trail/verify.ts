import { genesisHash } from '../../platform/crypto/hash-chain.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { hashAuditEntry, type SealedAuditEntry } from './entry.ts'
import { readSealedAuditEntryPages } from './read-trail.ts'
import { countUnsealedAuditEntries, findAuditChainHead, type AuditChainHead } from './store.ts'

export interface AuditChainFault {
  /** Null if the fault is not one of a row. */
  readonly position: number | null
  readonly entry_id: string | null
  readonly fault: string
}

export interface AuditVerification {
  readonly valid: boolean
  readonly entries: number
  /** Rows that have no place in the chain yet. */
  readonly unsealed: number
  /** The last row of the chain. */
  readonly head: AuditChainHead
  /** At most 100. */
  readonly faults: readonly AuditChainFault[]
}

const max_reported_faults = 100

/** Finds the errors of a row that follows another one. */
function findFaults(entry: SealedAuditEntry, before: AuditChainHead): string[] {
  const faults: string[] = []
  if (entry.position !== before.position + 1)
    faults.push(`the position is ${entry.position}, but the row before has ${before.position}`)
  if (entry.hash !== hashAuditEntry(before.hash, entry))
    faults.push('the hash does not match the row and the one before')
  return faults
}

/**
 * Checks the chain of an organization from its first row, and that it ends where the stored end says. The end is read
 * first, so rows that are sealed meanwhile do no harm.
 */
export async function verifyAuditTrail(
  db: SqlStatementRunner,
  organization: string,
  signal?: AbortSignal,
): Promise<AuditVerification> {
  const head = (await findAuditChainHead(db, organization)) ?? { position: 0, hash: genesisHash }
  const faults: AuditChainFault[] = []
  let last: AuditChainHead = { position: 0, hash: genesisHash }
  let entries = 0
  for await (const page of readSealedAuditEntryPages(db, organization, { after: 0, until: head.position })) {
    signal?.throwIfAborted()
    for (const entry of page) {
      const found = findFaults(entry, last)
      faults.push(...found.map((fault) => ({ position: entry.position, entry_id: entry.id, fault })))
      last = { position: entry.position, hash: entry.hash }
      entries += 1
    }
  }
  if (last.position !== head.position || last.hash !== head.hash) {
    const fault = `the chain ends at ${last.position}, but its stored end is ${head.position}`
    faults.push({ position: null, entry_id: null, fault })
  }
  const unsealed = await countUnsealedAuditEntries(db, organization)
  return { valid: faults.length === 0, entries, unsealed, head: last, faults: faults.slice(0, max_reported_faults) }
}
