import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { transitionUpload } from './upload-transitions.ts'
import { lockOpenUploads } from './store.ts'

/**
 * Cancels every open session of a project, in the transaction that deletes the project: nobody could end them later, and
 * they would keep their reservations until they expire. A running ingestion fails by itself.
 */
export async function cancelProjectUploads(tx: Tx, actor: Actor, project_id: string): Promise<void> {
  for (const row of await lockOpenUploads(tx, actor.organization, project_id)) {
    await transitionUpload(tx, actor, { row, name: 'cancel', change: { error_message: 'Its project was deleted.' } })
  }
}
