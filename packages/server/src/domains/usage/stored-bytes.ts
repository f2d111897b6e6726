import { invariant } from '../../engine/problem.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../events/emit.ts'
import { findTotals, insertBytes, listNets, lockJournal, type StoredBytes } from './store.ts'

export type { StoredBytes } from './store.ts'

/** Why bytes came or went; the last four are corrections. */
export type BytesCause = 'delivered' | 'deleted' | 'inherited' | 'corrected' | 'backfilled' | 'went_stale' | 'zeroed'

export interface BytesRow {
  /** Null for the organization as a whole. */
  readonly asset_id: string | null
  readonly object_path: string
  /** Whole bytes: above zero they came, below zero they went. A row of zero is left out. */
  readonly bytes_delta: number
  readonly cause: BytesCause
}

/** Where the journal keeps what is said of an organization as a whole: the folder of all its objects. */
export const folderOf = (organization: string): string => `organizations/${organization}`

/** Holds the organization's journal until the transaction ends; whoever decides on what it reads there locks first. */
export const lockStoredBytes = (tx: Tx, organization: string): Promise<void> => lockJournal(tx, organization)

/** Appends rows to the journal of stored bytes, in the transaction in which the bytes begin or end to count; their ids. */
export async function recordBytes(tx: Tx, actor: Actor, rows: readonly BytesRow[]): Promise<string[]> {
  const moved = rows.filter((row) => row.bytes_delta !== 0).map((row) => ({ ...row, id: newId() }))
  invariant(
    moved.every((row) => Number.isSafeInteger(row.bytes_delta)),
    'bytes are whole numbers',
  )
  if (moved.length === 0) return []
  await lockJournal(tx, actor.organization)
  const origin = {
    organization_id: actor.organization,
    actor_kind: actor.principal.kind,
    actor_id: actor.principal.id,
    operation: actor.operation,
    request_id: actor.requestId,
    created_at: actor.clock.now(),
  }
  await insertBytes(tx, origin, moved)
  return moved.map((row) => row.id)
}

/**
 * Takes back whatever the journal holds of these assets, in the transaction that deletes them. Bytes at a path that has
 * an heir, an asset that shares them and stays, go on to count for that one. Answers the bytes that count no longer.
 */
export async function releaseBytes(
  tx: Tx,
  actor: Actor,
  assets: readonly string[],
  heirs: ReadonlyMap<string, string> = new Map(),
): Promise<number> {
  if (assets.length === 0) return 0
  await lockJournal(tx, actor.organization)
  const held = await listNets(tx, actor.organization, assets)
  const rows = held.flatMap(({ bytes, ...where }): BytesRow[] => {
    const heir = heirs.get(where.object_path)
    const gone: BytesRow = { ...where, bytes_delta: -bytes, cause: 'deleted' }
    return heir === undefined ? [gone] : [gone, { ...where, asset_id: heir, bytes_delta: bytes, cause: 'inherited' }]
  })
  await recordBytes(tx, actor, rows)
  return -rows.reduce((sum, row) => sum + row.bytes_delta, 0)
}

/** The bytes of the files that an organization stores, as its journal has them. */
export const storedBytes = async (db: Queryable, organization: string): Promise<number> =>
  (await findTotals(db, organization)).file_bytes

/** All bytes that count against the quota of an organization: its files, and what is said of its items. */
export async function usedBytes(db: Queryable, organization: string): Promise<number> {
  const { file_bytes, metadata_bytes } = await findTotals(db, organization)
  return file_bytes + metadata_bytes
}

/** The same by asset and path, in the order of the paths; what comes to nothing is left out. */
export const listStoredBytes = (db: Queryable, organization: string): Promise<StoredBytes[]> =>
  listNets(db, organization)
