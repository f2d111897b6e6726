import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../events/emit.ts'
import { lockUpload, type UploadRow } from './store.ts'

/** The session, locked, when its time is over by its organization's clock; null when somebody has moved it since. */
export async function lockUploadIfDue(tx: Tx, actor: Actor, id: string): Promise<UploadRow | null> {
  const row = await lockUpload(tx, actor.organization, id)
  const due = row?.expires_at && row.expires_at <= actor.clock.now()
  return due ? row : null
}
