import { genesisHash } from '../../platform/crypto/hash-chain.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { hashAuditEntry } from './entry.ts'
import { lockAuditChainHead, listUnsealedAuditEntries, updateAuditSeals } from './store.ts'

const batch_size = 500

/**
 * Appends the rows of an organization whose calls began before a time to its chain, in the order in which they began, in
 * transactions of at most 500 rows. Returns how many. Only the end of the chain is locked: calls write rows meanwhile.
 */
export async function sealAuditEntries(
  db: DbConnection,
  organization: string,
  { before, signal }: { readonly before: Date; readonly signal?: AbortSignal },
): Promise<number> {
  let sealed = 0
  for (;;) {
    signal?.throwIfAborted()
    const count = await sealBatch(db, organization, before)
    sealed += count
    if (count < batch_size) return sealed
  }
}

async function sealBatch(db: DbConnection, organization: string, before: Date): Promise<number> {
  const pending = await listUnsealedAuditEntries(db, organization, { before, limit: 1 })
  if (pending.length === 0) return 0
  return db.transaction(async (tx) => {
    const head = await lockAuditChainHead(tx, organization, { position: 0, hash: genesisHash })
    const entries = await listUnsealedAuditEntries(tx, organization, { before, limit: batch_size })
    let { position, hash } = head
    const seals = entries.map((entry) => {
      position += 1
      hash = hashAuditEntry(hash, { ...entry, position })
      return { id: entry.id, position, hash }
    })
    if (seals.length > 0) await updateAuditSeals(tx, organization, seals)
    return seals.length
  })
}
