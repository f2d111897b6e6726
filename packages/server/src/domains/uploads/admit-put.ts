import type { CallGround } from '../../engine/open-call.ts'
import { Problem } from '../../engine/problem.ts'
import { isOpen } from './moves.ts'
import { readFolder } from './object-paths.ts'
import { findUpload } from './store.ts'

/** What the door knows of a signed address that takes bytes. */
interface PutAddress {
  readonly within?: { readonly folder: string } | null
}

/**
 * What the door of signed addresses asks before it takes bytes (`begin`) and when it has them (`end`): the session that
 * gave the address out has to be open still, or the bytes would lie where nothing keeps room for them any more. Throws
 * `gone-expired`.
 */
export const putAdmission =
  ({ database }: Pick<CallGround, 'database'>) =>
  async ({ within }: PutAddress, when: 'begin' | 'end'): Promise<void> => {
    const session = within ? readFolder(within.folder) : null
    if (session === null) return
    const row = await findUpload(database.of(session.organization), session.organization, session.upload)
    // What arrives while the session is ingested was sent when it was open, and is counted until it ends.
    if (row && (isOpen(row) || (when === 'end' && row.status === 'ingesting'))) return
    throw new Problem('gone-expired', 'The upload session has ended and takes nothing more.')
  }
