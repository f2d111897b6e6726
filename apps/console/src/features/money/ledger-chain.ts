import type { JournalExportLine } from '@swath/client/operations.ts'

/** The hash before the first entry. */
const zeroHash = '0'.repeat(64)

/** The hashed members of an entry, in this order; the postings follow. */
const members = [
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
] as const satisfies readonly (keyof JournalExportLine)[]

/** The state of the hash chain up to an entry. */
export interface ChainState {
  readonly entries: number
  readonly hash: string
  readonly available_credits: number
  readonly held_credits: number
}

export const emptyChain: ChainState = { entries: 0, hash: zeroHash, available_credits: 0, held_credits: 0 }

export type ChainFaultKind = 'gap' | 'previous-hash' | 'hash' | 'postings' | 'balance'

/** The first entry that does not follow from those before it. */
export interface ChainFault {
  readonly position: number
  readonly entryId: string
  readonly kind: ChainFaultKind
}

/** The SHA-256 of the previous hash and the members of the entry, in hexadecimal. */
export async function computeEntryHash(previous: string, entry: JournalExportLine): Promise<string> {
  const postings = entry.postings.map(({ account, lot_id, amount_credits }) => [account, lot_id, amount_credits])
  const text = previous + JSON.stringify([...members.map((name) => entry[name]), postings])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const sumPostings = ({ postings }: JournalExportLine, account?: string): number =>
  postings.reduce((sum, one) => sum + (!account || one.account === account ? one.amount_credits : 0), 0)

/** The chain with the next entry, or the reason why the entry cannot be the next one. */
export async function appendEntry(chain: ChainState, entry: JournalExportLine): Promise<ChainState | ChainFault> {
  const available_credits = chain.available_credits + sumPostings(entry, 'wallet.available')
  const held_credits = chain.held_credits + sumPostings(entry, 'wallet.held')
  const fault = (kind: ChainFaultKind): ChainFault => ({ position: entry.position, entryId: entry.id, kind })
  if (entry.position !== chain.entries + 1) return fault('gap')
  if (entry.previous_hash !== chain.hash) return fault('previous-hash')
  if (entry.hash !== (await computeEntryHash(chain.hash, entry))) return fault('hash')
  if (entry.postings.length < 2 || sumPostings(entry) !== 0) return fault('postings')
  if (entry.available_after_credits !== available_credits || entry.held_after_credits !== held_credits)
    return fault('balance')
  return { entries: entry.position, hash: entry.hash, available_credits, held_credits }
}

export interface ChainResult {
  readonly chain: ChainState
  readonly fault: ChainFault | null
}

/** Reads up to `limit` entries after a position. */
export type ReadEntries = (after: number, limit: number) => AsyncIterable<JournalExportLine>

const page_size = 500

/** Recomputes the chain from its first entry, one page after the other, up to the first fault. */
export async function verifyChain(
  readEntries: ReadEntries,
  onProgress: (entries: number) => void,
  limit: number = page_size,
): Promise<ChainResult> {
  let chain = emptyChain
  for (;;) {
    const before = chain.entries
    for await (const entry of readEntries(before, limit)) {
      const next = await appendEntry(chain, entry)
      if ('kind' in next) return { chain, fault: next }
      chain = next
    }
    onProgress(chain.entries)
    if (chain.entries < before + limit) return { chain, fault: null }
  }
}
