import { genesisHash, pairWithPreviousHashes } from '../../platform/crypto/hash-chain.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { readNumberedRowPages, type NumberedRowRange } from '../../platform/database/position-pages.ts'
import type { AuditEntryRow, SealedAuditEntry } from './entry.ts'
import { findAuditChainHead, listSealedAuditEntries } from './store.ts'

const isSealed = (row: AuditEntryRow): row is SealedAuditEntry => row.position !== null && row.hash !== null

/** Reads sealed rows in pages, in the order of the chain. */
export const readSealedAuditEntryPages = (
  db: SqlStatementRunner,
  organization: string,
  range: NumberedRowRange,
): AsyncGenerator<readonly SealedAuditEntry[]> =>
  readNumberedRowPages(range, async (page) => (await listSealedAuditEntries(db, organization, page)).filter(isSealed))

/** A sealed row with the hash of the row before, from which its own is computed. */
export type ExportedAuditEntry = SealedAuditEntry & { readonly previous_hash: string }

/** Reads at most `limit` sealed rows after a position for an export, in pages. */
export async function* readAuditExportPages(
  db: SqlStatementRunner,
  organization: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): AsyncGenerator<readonly ExportedAuditEntry[]> {
  const head = await findAuditChainHead(db, organization)
  const until = Math.min(head?.position ?? 0, after + limit)
  const [last] =
    after === 0 ? [] : await listSealedAuditEntries(db, organization, { after: after - 1, until: after, limit: 1 })
  let previous = last?.hash ?? genesisHash
  for await (const page of readSealedAuditEntryPages(db, organization, { after, until })) {
    yield pairWithPreviousHashes(page, previous)
    previous = page.at(-1)!.hash
  }
}
