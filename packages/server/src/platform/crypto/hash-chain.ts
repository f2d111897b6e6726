import { createHash } from 'node:crypto'

/** The previous hash of the first record of a chain. */
export const genesisHash = '0'.repeat(64)

/** SHA-256 (hex) over the previous hash (64 hex digits) and the serialized record. */
export const hashChainLink = (previous: string, record: string): string =>
  createHash('sha256').update(previous).update(record).digest('hex')

/** The same records, each with the hash of the one before. */
export function pairWithPreviousHashes<Record extends { readonly hash: string }>(
  records: readonly Record[],
  previous: string,
): (Record & { readonly previous_hash: string })[] {
  return records.map((record, index) => ({ ...record, previous_hash: records[index - 1]?.hash ?? previous }))
}
