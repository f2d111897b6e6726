import { uploadLifecycle, type UploadMove } from '@swath/contract/lifecycles.ts'
import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { lockUpload, saveUpload, type UploadRow } from './store.ts'

/** The task that removes what was sent once a session has ended. */
export const cleanUploadTask = 'uploads.clean'

const hour_ms = 3_600_000
/** Addresses are told by the clock of whoever serves them, which may be a little late. */
const address_ms = limits.upload_address_seconds * 1000 + 300_000

/** When an address that is given out now has expired for sure. */
export const addressesEnd = (now: Date): Date => new Date(now.getTime() + address_ms)

const ends = (status: UploadRow['status']): boolean => (uploadLifecycle.terminal as readonly string[]).includes(status)

export const isOpen = ({ expires_at }: UploadRow): boolean => expires_at !== null

export const missingUpload = (id: string): Problem => new Problem('not-found', `No upload has the id "${id}".`)

/** The session after somebody has done something in it: its time begins anew. */
export const touched = (row: UploadRow, now: OrganizationTime): UploadRow => ({
  ...row,
  updated_at: now,
  expires_at: isOpen(row) ? new Date(now.getTime() + limits.upload_hours * hour_ms) : null,
})

/** The session after a move that does not end it. Throws `invalid-state` for a move that is no row of the lifecycle. */
export function moved(
  row: UploadRow,
  name: UploadMove,
  now: OrganizationTime,
  change: Partial<UploadRow> = {},
): UploadRow {
  const { from, to } = uploadLifecycle.moves[name]
  if (!from?.includes(row.status)) throw wrongState(row)
  const next = touched({ ...row, ...change, status: to }, now)
  return to === 'ingesting' || ends(to) ? { ...next, expires_at: null } : next
}

/**
 * A session that ends keeps no storage, but what its addresses into a bucket can still write: that is free again when the
 * last of them has expired and what came was removed.
 */
function ended(row: UploadRow, now: Date): UploadRow {
  const { addresses_end_at } = row
  const live = addresses_end_at !== null && addresses_end_at > now
  return {
    ...row,
    reserved_bytes: 0,
    addressed_bytes: live ? row.addressed_bytes : 0,
    clean_at: live ? addresses_end_at : addressesEnd(now),
  }
}

export const wrongState = (row: UploadRow): Problem =>
  new Problem('invalid-state', `The upload is ${row.status}${ends(row.status) ? ' and takes nothing more' : ''}.`)

/** The session, locked. Throws `not-found`. */
export async function heldUpload(tx: Tx, actor: Pick<Actor, 'organization'>, id: string): Promise<UploadRow> {
  const row = await lockUpload(tx, actor.organization, id)
  if (!row) throw missingUpload(id)
  return row
}

/** Makes a move of a locked session; when it ends, its bytes are removed afterwards. */
export async function moveUpload(
  tx: Tx,
  actor: Actor,
  row: UploadRow,
  name: UploadMove,
  change: Partial<UploadRow> = {},
): Promise<UploadRow> {
  const after = moved(row, name, actor.clock.now(), change)
  const next = ends(after.status) ? ended(after, actor.clock.process.now()) : after
  await saveUpload(tx, next)
  if (ends(next.status))
    await actor.queue.enqueue(tx, cleanUploadTask, { organization_id: actor.organization, upload_id: row.id })
  return next
}
