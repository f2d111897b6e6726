import { assertInvariant } from '../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { lockStorageTotals } from '../../platform/database/item-counts/write-counts.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { findStorageTotals, insertStorageJournalEntries, listStoredBytesByPath } from './store.ts'

/** The causes of changes of stored bytes; the last four are corrections. */
export type StoredBytesCause =
  | 'delivered'
  | 'deleted'
  | 'inherited'
  | 'corrected'
  | 'backfilled'
  | 'went_stale'
  | 'zeroed'

export interface StoredBytesChange {
  /** Null for a file that belongs to no asset, and for the organization as a whole. */
  readonly asset_id: string | null
  readonly object_path: string
  /** An integer: positive if bytes were added, negative if removed. A row of zero is skipped. */
  readonly bytes_delta: number
  readonly cause: StoredBytesCause
}

/** The prefix of all objects of an organization; the journal uses it as the path of organization-wide corrections. */
export const getOrganizationBlobPrefix = (organization: string): string => `organizations/${organization}`

/** Locks the storage journal until the transaction ends; required before decisions that depend on its content. */
export const lockStorageJournal = (tx: Tx, organization: string): Promise<void> => lockStorageTotals(tx, organization)

/** Appends rows to the storage journal in the transaction that adds or removes the bytes; returns their ids. */
export async function recordStoredBytes(tx: Tx, actor: Actor, rows: readonly StoredBytesChange[]): Promise<string[]> {
  const changes = rows.filter((row) => row.bytes_delta !== 0).map((row) => ({ ...row, id: newId() }))
  assertInvariant(
    changes.every((row) => Number.isSafeInteger(row.bytes_delta)),
    'byte counts must be integers',
  )
  if (changes.length === 0) return []
  await lockStorageTotals(tx, actor.organization)
  const origin = {
    organization_id: actor.organization,
    actor_kind: actor.principal.kind,
    actor_id: actor.principal.id,
    operation: actor.operation,
    request_id: actor.requestId,
    created_at: actor.clock.now(),
  }
  await insertStorageJournalEntries(tx, origin, changes)
  return changes.map((row) => row.id)
}

/**
 * Reverses all journal rows of these assets in the transaction that deletes them. If a path has a successor, an asset
 * that shares the object and remains, the bytes are booked to it. Returns the bytes that are no longer counted.
 */
export async function releaseStoredBytes(
  tx: Tx,
  actor: Actor,
  assets: readonly string[],
  successors: ReadonlyMap<string, string> = new Map(),
): Promise<number> {
  if (assets.length === 0) return 0
  await lockStorageTotals(tx, actor.organization)
  const stored = await listStoredBytesByPath(tx, actor.organization, assets)
  const rows = stored.flatMap(({ bytes, ...location }): StoredBytesChange[] => {
    const successor = successors.get(location.object_path)
    const removal: StoredBytesChange = { ...location, bytes_delta: -bytes, cause: 'deleted' }
    return successor === undefined
      ? [removal]
      : [removal, { ...location, asset_id: successor, bytes_delta: bytes, cause: 'inherited' }]
  })
  await recordStoredBytes(tx, actor, rows)
  return -rows.reduce((sum, row) => sum + row.bytes_delta, 0)
}

/** The bytes of all stored files of an organization, according to the storage journal. */
export const sumStoredFileBytes = async (db: SqlStatementRunner, organization: string): Promise<number> =>
  (await findStorageTotals(db, organization)).file_bytes

/** All bytes that count against the storage quota of an organization: files and item metadata. */
export async function readQuotaUsageBytes(db: SqlStatementRunner, organization: string): Promise<number> {
  const { file_bytes, metadata_bytes } = await findStorageTotals(db, organization)
  return file_bytes + metadata_bytes
}
