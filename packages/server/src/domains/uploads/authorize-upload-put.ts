import type { CallDependencies } from '../../engine/call-context.ts'
import { Problem } from '../../engine/problem.ts'
import { isOpenUpload } from './upload-transitions.ts'
import { parseUploadBlobPrefix } from './object-paths.ts'
import { findUpload } from './store.ts'

/** A verified upload URL. */
interface SignedPutUrl {
  readonly within?: { readonly folder: string } | null
}

/**
 * Authorizes a PUT to a signed URL before (`begin`) and after (`end`) its bytes are received: the upload session has to be
 * open, or nothing would account for the bytes. Throws `gone-expired`.
 */
export const createUploadBodyAuthorizer =
  ({ database }: Pick<CallDependencies, 'database'>) =>
  async ({ within }: SignedPutUrl, when: 'begin' | 'end'): Promise<void> => {
    const folder = within ? parseUploadBlobPrefix(within.folder) : null
    if (folder === null) return
    const row = await findUpload(database.forOrganization(folder.organization), folder.organization, folder.upload)
    // A PUT that ends while the session is ingested began when it was open, and is accounted for until the session ends.
    if (row && (isOpenUpload(row) || (when === 'end' && row.status === 'ingesting'))) return
    throw new Problem('gone-expired', 'The upload session has ended and accepts no more data.')
  }
