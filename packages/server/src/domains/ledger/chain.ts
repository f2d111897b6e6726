import { hashChainLink } from '../../platform/crypto/hash-chain.ts'

/** One leg of an entry. */
export interface HashedPosting {
  readonly account: string
  readonly lot_id: string | null
  readonly amount_credits: number
}

/** The hashed fields of an entry. `created_at` is RFC 3339 in UTC with milliseconds. */
export interface HashedJournalEntry {
  readonly organization_id: string
  readonly position: number
  readonly id: string
  readonly kind: string
  readonly amount_credits: number
  readonly available_after_credits: number
  readonly held_after_credits: number
  readonly reference_type: string
  readonly reference_id: string
  readonly hold_id: string | null
  readonly actor_kind: string
  readonly actor_id: string
  readonly operation: string
  readonly request_id: string
  readonly idempotency_key: string | null
  readonly note: string | null
  readonly created_at: string
  readonly postings: readonly HashedPosting[]
}

/** The hashed fields in a fixed order; `tools/verify-ledger.mjs` and migration 0006 produce the same text. */
const serializeEntry = (entry: HashedJournalEntry): string =>
  JSON.stringify([
    entry.organization_id,
    entry.position,
    entry.id,
    entry.kind,
    entry.amount_credits,
    entry.available_after_credits,
    entry.held_after_credits,
    entry.reference_type,
    entry.reference_id,
    entry.hold_id,
    entry.actor_kind,
    entry.actor_id,
    entry.operation,
    entry.request_id,
    entry.idempotency_key,
    entry.note,
    entry.created_at,
    entry.postings.map(({ account, lot_id, amount_credits }) => [account, lot_id, amount_credits]),
  ])

/** SHA-256 (hex) over the previous hash (64 hex digits) and the serialized entry. */
export const hashJournalEntry = (previous: string, entry: HashedJournalEntry): string =>
  hashChainLink(previous, serializeEntry(entry))
