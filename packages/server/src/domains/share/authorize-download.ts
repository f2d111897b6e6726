import { refreshSandboxClock } from '../../platform/sandbox/sandbox-times.ts'
import type { CallDependencies } from '../../engine/call-context.ts'
import { Problem } from '../../engine/problem.ts'
import { requireBandwidth } from '../usage/egress.ts'
import { organizationOfBlobPath, parseDownloadGrant, type DownloadGrant } from '../items/assets/download-grant.ts'
import { isDownloadable } from '../items/assets/store.downloads.ts'

/** The verified parameters of a signed blob URL. */
export interface SignedDownload {
  readonly path: string
  readonly ticket?: string
}

export interface AuthorizedAsset extends DownloadGrant {
  readonly organization: string
}

/** The download grant of a signed URL; null if it was not issued for an asset, such as the URL of an upload. */
export function readDownloadGrant({ path, ticket = '' }: SignedDownload): AuthorizedAsset | null {
  const organization = organizationOfBlobPath(path)
  const grant = parseDownloadGrant(ticket)
  return organization === null || grant === null ? null : { organization, ...grant }
}

/**
 * Rejects a signed URL if its asset or item is deleted or expired, or the organization has used up its daily egress.
 * Throws `not-found` or `bandwidth-breaker`.
 */
export async function authorizeDownload(
  { database, quotas, clock }: Pick<CallDependencies, 'database' | 'quotas' | 'clock'>,
  path: string,
  { organization, asset }: AuthorizedAsset,
): Promise<void> {
  await refreshSandboxClock({ database, clock }, organization)
  const db = database.forOrganization(organization)
  if (!(await isDownloadable(db, { organization, id: asset, path, now: clock.forOrganization(organization).now() }))) {
    throw new Problem('not-found', 'Nothing is stored at this URL.')
  }
  await requireBandwidth(db, { organization, quotas, clock: clock.forOrganization(organization) })
}
