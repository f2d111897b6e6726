import type { CallGround } from '../../engine/open-call.ts'
import { Problem } from '../../engine/problem.ts'
import { isOpen } from './moves.ts'
import { readFolder } from './object-paths.ts'
import { findUpload } from './store.ts'

/** A verified upload URL. */
interface PutAddress {
  readonly within?: { readonly folder: string } | null
}

/**
 * Authorizes a PUT to a signed URL before (`begin`) and after (`end`) its bytes are received: the upload session has to be
 * open, or nothing would account for the bytes. Throws `gone-expired`.
 */
export const putAdmission =
  ({ database }: Pick<CallGround, 'database'>) =>
  async ({ within }: PutAddress, when: 'begin' | 'end'): Promise<void> => {
    const session = within ? readFolder(within.folder) : null
    if (session === null) return
    const row = await findUpload(database.of(session.organization), session.organization, session.upload)
    // A PUT that ends while the session is ingested began when it was open, and is accounted for until the session ends.
    if (row && (isOpen(row) || (when === 'end' && row.status === 'ingesting'))) return
    throw new Problem('gone-expired', 'The upload session has ended and accepts no more data.')
  }
