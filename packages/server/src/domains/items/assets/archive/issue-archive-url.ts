import { limits } from '@swath/contract/limits.ts'
import type { ArchiveDownload } from '@swath/contract/schemas/asset.ts'
import type { Call } from '../../../../engine/call.ts'
import { Problem } from '../../../../engine/problem.ts'
import { requireCanDownload } from '../../../billing/account-status.ts'
import { requireEgressWithinQuota, recordDownloads } from '../../../usage/egress.ts'
import { signArchiveUrl, type ArchiveUrlSubject } from './archive-url.ts'
import { listArchiveContent } from './archive-content.ts'

/**
 * Issues a signed URL that streams all files of an item or an order as one ZIP; counts as a download of each asset.
 * Throws `past-due`, `invalid-state` if no file is stored, `budget-exceeded`, `bandwidth-breaker` or `download-cap`.
 * Checks no permissions on the subject.
 */
export async function issueArchiveUrl(
  call: Call,
  subject: ArchiveUrlSubject,
  file_name: string,
): Promise<ArchiveDownload> {
  await requireCanDownload(call)
  const content = await listArchiveContent(call.db, call.organization, subject, call.clock.now())
  const files = content.flatMap((entry) => entry.files)
  if (files.length === 0) throw new Problem('invalid-state', `The ${subject.type} has no files in storage.`)
  await requireEgressWithinQuota(call.db, call)
  await call.transaction((tx) =>
    recordDownloads(
      tx,
      call,
      files.map((file) => file.asset.id),
    ),
  )
  const expires_at = new Date(call.clock.process.now().getTime() + limits.signed_url_seconds * 1000)
  const { organization } = call
  return {
    url: signArchiveUrl(call.signer, call.baseUrl, { organization, subject, file_name, expires_at }),
    expires_in_seconds: limits.signed_url_seconds,
    file_name,
    file_count: files.length,
    files_bytes: files.reduce((sum, file) => sum + file.size, 0),
    media_type: 'application/zip',
  }
}
