import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { lockUpload, type UploadRow } from './store.ts'

/** The locked session, if it has expired by the clock of its organization; null if it was changed meanwhile. */
export async function lockUploadIfDue(tx: Tx, actor: Actor, id: string): Promise<UploadRow | null> {
  const row = await lockUpload(tx, actor.organization, id)
  const hasExpired = row?.expires_at && row.expires_at <= actor.clock.now()
  return hasExpired ? row : null
}
