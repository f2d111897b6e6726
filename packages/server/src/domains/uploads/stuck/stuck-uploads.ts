import type { Actor } from '../../../engine/actor.ts'
import type { StuckWorkRow } from '../../../engine/stuck-work.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { OrganizationClock } from '../../../platform/clock.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { removeExpiredUploadObjects } from '../clean.ts'
import { lockUpload } from '../store.ts'
import { isOpenUpload, transitionUpload } from '../upload-transitions.ts'

import { listOverdueCleaningRows } from './store.stuck.ts'

/** Ingests an upload again whose task was lost. False unless it is being ingested. */
export async function ingestUploadNow(tx: Tx, actor: Actor, id: string): Promise<boolean> {
  const row = await lockUpload(tx, actor.organization, id)
  if (row?.status !== 'ingesting') return false
  const data = { organization_id: actor.organization, upload_id: id }
  await actor.queue.enqueue(tx, backgroundTaskTypes.ingestUpload, data, { singleton_key: id })
  return true
}

/** Cancels an open session, or fails an ingestion, for an operator. False if it has ended. */
export async function endUploadByOperator(tx: Tx, actor: Actor, id: string, reason: string): Promise<boolean> {
  const row = await lockUpload(tx, actor.organization, id)
  if (!row || !(isOpenUpload(row) || row.status === 'ingesting')) return false
  const name = row.status === 'ingesting' ? 'fail' : 'cancel'
  await transitionUpload(tx, actor, { row, name, change: { error_message: reason } })
  return true
}

/** Ended sessions whose objects should have been removed so long ago, by the clock of the process. */
export const listOverdueUploadCleanings = (
  db: SqlStatementRunner,
  { organization, process }: OrganizationClock,
  { min_age_ms, id, limit }: { readonly min_age_ms: number; readonly id: string | null; readonly limit: number },
): Promise<StuckWorkRow[]> =>
  listOverdueCleaningRows(db, organization, { before: new Date(process.now().getTime() - min_age_ms), id, limit })

/** Removes the objects of an ended session now. False if it has not ended. */
export const removeUploadObjectsNow = (
  { organization, clock }: Actor,
  { db, blobs }: { readonly db: DbConnection; readonly blobs: BlobStore },
  id: string,
): Promise<boolean> => removeExpiredUploadObjects({ db, organization, blobs, clock: clock.process }, id)
