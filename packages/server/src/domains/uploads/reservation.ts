import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { planOf } from '../billing/plans.ts'
import { readOrganization } from '../organizations/organization.ts'
import { lockStoredBytes, usedBytes } from '../usage/stored-bytes.ts'
import { sumReserved } from './store.ts'

/**
 * Bytes that the plan of an organization has left beside what is stored and what open sessions keep; `Infinity` where
 * it has no limit. Nobody else decides about the same bytes until the transaction ends.
 */
export async function freeBytes(tx: Tx, organization: string): Promise<number> {
  await lockStoredBytes(tx, organization)
  return Math.max(0, await roomLeft(tx, organization))
}

/** The same as a plain sum: below zero where more is stored than the plan has room for. */
async function roomLeft(tx: Tx, organization: string): Promise<number> {
  const plan = (await readOrganization(tx, organization))?.plan
  const quota = plan === undefined ? 0 : planOf(plan).storage_quota_bytes
  if (quota === null) return Number.POSITIVE_INFINITY
  return quota - (await usedBytes(tx, organization)) - (await sumReserved(tx, organization))
}

/**
 * Throws `quota-storage` where an organization has written more than its plan has room for; called in the transaction that
 * has written it, which holds the count of its bytes until it ends.
 */
export async function requireRoom(tx: Tx, organization: string): Promise<void> {
  const left = await roomLeft(tx, organization)
  if (left < 0) throw noRoom(-left, 0)
}

/** What a session may reserve that will send so many bytes; 0 when nobody says it. Throws `quota-storage`. */
export async function reservable(tx: Tx, organization: string, total_bytes: number): Promise<number> {
  const free = await freeBytes(tx, organization)
  const wanted = total_bytes || Math.min(limits.upload_unstated_bytes, free)
  if (wanted === 0 || wanted > free) throw noRoom(Math.max(wanted, 1), free)
  return wanted
}

export const noRoom = (wanted: number, free: number): Problem =>
  new Problem(
    'quota-storage',
    `The plan has room for ${free} bytes more, and ${wanted} are needed. Delete items, or take a larger plan.`,
    { free_bytes: free, needed_bytes: wanted },
  )
