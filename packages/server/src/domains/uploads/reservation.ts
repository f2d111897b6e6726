import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findBillingPlan } from '../billing/plans.ts'
import { findOrganization } from '../organizations/store.ts'
import { lockStorageJournal, readQuotaUsageBytes } from '../usage/stored-bytes.ts'
import { sumReservedBytes } from '../usage/store.ts'

/**
 * The storage that the plan of an organization has left after stored and reserved bytes; `Infinity` without a limit. The
 * storage journal is locked until the transaction ends.
 */
export async function lockRemainingStorage(tx: Tx, organization: string): Promise<number> {
  await lockStorageJournal(tx, organization)
  return Math.max(0, await computeFreeStorage(tx, organization))
}

/** The same without the lock; negative if more is stored than the plan allows. */
async function computeFreeStorage(tx: Tx, organization: string): Promise<number> {
  const plan = (await findOrganization(tx, organization))?.plan
  const quota = plan === undefined ? 0 : findBillingPlan(plan).storage_quota_bytes
  if (quota === null) return Number.POSITIVE_INFINITY
  return quota - (await readQuotaUsageBytes(tx, organization)) - (await sumReservedBytes(tx, organization))
}

/**
 * Throws `quota-storage` if an organization has written more than its plan allows; called in the transaction that wrote it
 * and holds the lock of the storage journal.
 */
export async function requireStorageWithinQuota(tx: Tx, organization: string): Promise<void> {
  const left_bytes = await computeFreeStorage(tx, organization)
  if (left_bytes < 0) throw storageQuotaExceeded(-left_bytes, 0)
}

/** The bytes that a session may reserve for `total_bytes`; 0 means unknown. Throws `quota-storage`. */
export async function computeStorageReservation(tx: Tx, organization: string, total_bytes: number): Promise<number> {
  const free_bytes = await lockRemainingStorage(tx, organization)
  const needed_bytes = total_bytes || Math.min(limits.default_upload_reservation_bytes, free_bytes)
  if (needed_bytes === 0 || needed_bytes > free_bytes) throw storageQuotaExceeded(Math.max(needed_bytes, 1), free_bytes)
  return needed_bytes
}

export const storageQuotaExceeded = (needed_bytes: number, free_bytes: number): Problem =>
  new Problem(
    'quota-storage',
    `The plan has ${free_bytes} bytes of storage left, and ${needed_bytes} are needed. Delete items or upgrade the plan.`,
    { free_bytes: free_bytes, needed_bytes: needed_bytes },
  )
