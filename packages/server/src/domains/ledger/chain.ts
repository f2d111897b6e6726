import type { JournalEntry } from '@swath/contract/schemas/ledger.ts'
import { hashChainLink } from '../../platform/crypto/hash-chain.ts'

/** One leg of an entry. */
export type HashedPosting = Readonly<JournalEntry['postings'][number]>

/**
 * The hashed members of an entry in a fixed order; the postings follow. `tools/verify-ledger.mjs`, the console and migration 0006
 * state them again, since each of them verifies independently of this code.
 */
export const hashedJournalEntryMembers = [
  'organization_id',
  'position',
  'id',
  'kind',
  'amount_credits',
  'available_after_credits',
  'held_after_credits',
  'reference_type',
  'reference_id',
  'hold_id',
  'actor_kind',
  'actor_id',
  'operation',
  'request_id',
  'idempotency_key',
  'note',
  'created_at',
] as const satisfies readonly (keyof JournalEntry)[]

/** The hashed members of an entry. `created_at` is RFC 3339 in UTC with milliseconds. */
export type HashedJournalEntry = Readonly<Pick<JournalEntry, (typeof hashedJournalEntryMembers)[number]>> & {
  readonly postings: readonly HashedPosting[]
}

const serializeEntry = (entry: HashedJournalEntry): string =>
  JSON.stringify([
    ...hashedJournalEntryMembers.map((name) => entry[name]),
    entry.postings.map(({ account, lot_id, amount_credits }) => [account, lot_id, amount_credits]),
  ])

/** SHA-256 (hex) over the previous hash (64 hex digits) and the serialized entry. */
export const hashJournalEntry = (previous: string, entry: HashedJournalEntry): string =>
  hashChainLink(previous, serializeEntry(entry))
