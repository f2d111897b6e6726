import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { genesisHash, pairWithPreviousHashes } from '../../platform/crypto/hash-chain.ts'
import { readNumberedRowPages, type NumberedRowRange } from '../../platform/database/position-pages.ts'
import type { HashedJournalEntry } from './chain.ts'
import {
  findJournalEntryHash,
  findLastEntryPosition,
  listJournalEntriesByPosition,
  type JournalEntryRowWithPostings,
} from './store.entries.ts'

/** A stored entry: its hashed fields and its hash. */
export type StoredJournalEntry = HashedJournalEntry & { readonly hash: string }

/** A stored entry with the hash of the previous entry, from which its own hash is computed. */
export type ExportedJournalEntry = StoredJournalEntry & { readonly previous_hash: string }

/** Converts a row to an entry. Invalid values (unsafe integers, invalid times) are converted too, for the audit to find. */
export const toJournalEntry = (row: JournalEntryRowWithPostings): StoredJournalEntry => ({
  organization_id: row.organization_id,
  position: Number(row.position),
  id: row.id,
  kind: row.kind,
  amount_credits: Number(row.amount_credits),
  available_after_credits: Number(row.available_after_credits),
  held_after_credits: Number(row.held_after_credits),
  reference_type: row.reference_type,
  reference_id: row.reference_id,
  hold_id: row.hold_id,
  actor_kind: row.actor_kind,
  actor_id: row.actor_id,
  operation: row.operation,
  request_id: row.request_id,
  idempotency_key: row.idempotency_key,
  note: row.note,
  created_at: row.created_at.toJSON() ?? '',
  postings: row.postings ?? [],
  hash: row.hash,
})

/**
 * Reads the journal in pages, oldest first: positions above `after` up to `until`. Every page is its own statement, which
 * is safe because the journal is append-only.
 */
export const readJournalPages = (
  db: SqlStatementRunner,
  organization: string,
  range: NumberedRowRange,
): AsyncGenerator<readonly StoredJournalEntry[]> =>
  readNumberedRowPages(range, async (page) =>
    (await listJournalEntriesByPosition(db, organization, page)).map(toJournalEntry),
  )

/** Reads at most `limit` entries after a position for an export, in pages. */
export async function* readJournalExportPages(
  db: SqlStatementRunner,
  organization: string,
  { after, limit }: { after: number; limit: number },
): AsyncGenerator<readonly ExportedJournalEntry[]> {
  const until = Math.min(await findLastEntryPosition(db, organization), after + limit)
  let previous = (await findJournalEntryHash(db, organization, after)) ?? genesisHash
  for await (const page of readJournalPages(db, organization, { after, until })) {
    yield pairWithPreviousHashes(page, previous)
    previous = page.at(-1)!.hash
  }
}
