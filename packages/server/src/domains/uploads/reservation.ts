import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { planOf } from '../billing/plans.ts'
import { readOrganization } from '../organizations/organization.ts'
import { lockStoredBytes, usedBytes } from '../usage/stored-bytes.ts'
import { sumReserved } from './store.ts'

/**
 * The storage that the plan of an organization has left after stored and reserved bytes; `Infinity` without a limit. The
 * storage journal is locked until the transaction ends.
 */
export async function freeBytes(tx: Tx, organization: string): Promise<number> {
  await lockStoredBytes(tx, organization)
  return Math.max(0, await roomLeft(tx, organization))
}

/** The same without the lock; negative if more is stored than the plan allows. */
async function roomLeft(tx: Tx, organization: string): Promise<number> {
  const plan = (await readOrganization(tx, organization))?.plan
  const quota = plan === undefined ? 0 : planOf(plan).storage_quota_bytes
  if (quota === null) return Number.POSITIVE_INFINITY
  return quota - (await usedBytes(tx, organization)) - (await sumReserved(tx, organization))
}

/**
 * Throws `quota-storage` if an organization has written more than its plan allows; called in the transaction that wrote it
 * and holds the lock of the storage journal.
 */
export async function requireRoom(tx: Tx, organization: string): Promise<void> {
  const left = await roomLeft(tx, organization)
  if (left < 0) throw noRoom(-left, 0)
}

/** The bytes that a session may reserve for `total_bytes`; 0 means unknown. Throws `quota-storage`. */
export async function reservable(tx: Tx, organization: string, total_bytes: number): Promise<number> {
  const free = await freeBytes(tx, organization)
  const wanted = total_bytes || Math.min(limits.upload_unstated_bytes, free)
  if (wanted === 0 || wanted > free) throw noRoom(Math.max(wanted, 1), free)
  return wanted
}

export const noRoom = (wanted: number, free: number): Problem =>
  new Problem(
    'quota-storage',
    `The plan has ${free} bytes of storage left, and ${wanted} are needed. Delete items or upgrade the plan.`,
    { free_bytes: free, needed_bytes: wanted },
  )
