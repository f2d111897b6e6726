import { hour_ms } from '@swath/geo/time-units.ts'
import { uploadLifecycle, type UploadTransitionName } from '@swath/contract/lifecycles.ts'
import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { lockUpload, updateUpload, type UploadRow } from './store.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'

/** URLs expire by the clock of the serving process, which may be slightly late. */
const url_lifetime_ms = limits.upload_url_seconds * 1000 + 300_000

/** The time by which a URL issued now has certainly expired. */
export const computeLatestUrlExpiry = (now: Date): Date => new Date(now.getTime() + url_lifetime_ms)

const isTerminal = (status: UploadRow['status']): boolean =>
  (uploadLifecycle.terminal as readonly string[]).includes(status)

export const isOpenUpload = ({ expires_at }: UploadRow): boolean => expires_at !== null

export const uploadNotFound = (id: string): Problem => new Problem('not-found', `No upload has the id "${id}".`)

/** The session after an activity: its expiry is extended. */
export const extendUploadExpiry = (row: UploadRow, now: OrganizationTime): UploadRow => ({
  ...row,
  updated_at: now,
  expires_at: isOpenUpload(row) ? new Date(now.getTime() + limits.upload_session_hours * hour_ms) : null,
})

/** The session after a transition that does not end it. Throws `invalid-state` if the lifecycle does not allow it. */
export function applyUploadTransition(
  row: UploadRow,
  name: UploadTransitionName,
  now: OrganizationTime,
  change: Partial<UploadRow> = {},
): UploadRow {
  const { from, to } = uploadLifecycle.transitions[name]
  if (!from?.includes(row.status)) throw createInvalidUploadStateProblem(row)
  const next = extendUploadExpiry({ ...row, ...change, status: to }, now)
  return to === 'ingesting' || isTerminal(to) ? { ...next, expires_at: null } : next
}

/**
 * An ended session keeps no reservation except for what its S3 URLs can still write: that is released when the last URL has
 * expired and its objects were removed.
 */
function releaseReservation(row: UploadRow, now: Date): UploadRow {
  const { addresses_end_at } = row
  const hasActiveUrls = addresses_end_at !== null && addresses_end_at > now
  return {
    ...row,
    reserved_bytes: 0,
    addressed_bytes: hasActiveUrls ? row.addressed_bytes : 0,
    clean_at: hasActiveUrls ? addresses_end_at : computeLatestUrlExpiry(now),
  }
}

export const createInvalidUploadStateProblem = (row: UploadRow): Problem =>
  new Problem(
    'invalid-state',
    `The upload is ${row.status}${isTerminal(row.status) ? ' and accepts no more data' : ''}.`,
  )

/** The locked session. Throws `not-found`. */
export async function requireLockedUpload(tx: Tx, actor: Pick<Actor, 'organization'>, id: string): Promise<UploadRow> {
  const row = await lockUpload(tx, actor.organization, id)
  if (!row) throw uploadNotFound(id)
  return row
}

/** Applies a transition to a locked session; if it ends, its objects are removed afterwards. */
export async function transitionUpload(
  tx: Tx,
  actor: Actor,
  {
    row,
    name,
    change = {},
  }: { readonly row: UploadRow; readonly name: UploadTransitionName; readonly change?: Partial<UploadRow> },
): Promise<UploadRow> {
  const after = applyUploadTransition(row, name, actor.clock.now(), change)
  const next = isTerminal(after.status) ? releaseReservation(after, actor.clock.process.now()) : after
  await updateUpload(tx, next)
  if (isTerminal(next.status))
    await actor.queue.enqueue(tx, backgroundTaskTypes.cleanUpload, {
      organization_id: actor.organization,
      upload_id: row.id,
    })
  return next
}
