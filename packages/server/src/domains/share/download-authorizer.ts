import type { CallDependencies } from '../../engine/call-context.ts'
import { openZipArchiveStream } from '../items/assets/archive/open-archive.ts'
import {
  type DownloadGrant,
  toEgressSubject,
  findOrganizationOfBlobPath,
  parseDownloadGrant,
} from '../items/assets/download-grant.ts'
import type { EgressMeter } from '../usage/egress-meter.ts'
import { requireActiveShareLink } from './authorize-share-link.ts'
import { findShareLink } from './store.ts'
import { refreshSandboxClock } from '../../platform/sandbox/sandbox-times.ts'
import { Problem } from '../../engine/problem.ts'
import { requireEgressWithinQuota } from '../usage/egress.ts'
import { isDownloadable } from '../items/assets/store.downloads.ts'

/** The verified parameters of a signed blob URL. */
interface SignedDownload {
  readonly path: string
  readonly ticket?: string
}

interface AuthorizedAsset extends DownloadGrant {
  readonly organization: string
}

/** The download grant of a signed URL; null if it was not issued for an asset, such as the URL of an upload. */
function readDownloadGrant({ path, ticket = '' }: SignedDownload): AuthorizedAsset | null {
  const organization = findOrganizationOfBlobPath(path)
  const grant = parseDownloadGrant(ticket)
  return organization === null || grant === null ? null : { organization, ...grant }
}

/**
 * Rejects a signed URL if its asset or item is deleted or expired, or the organization has used up its daily egress.
 * Throws `not-found` or `bandwidth-breaker`.
 */
async function authorizeDownload(
  { database, quotas, clock }: Pick<CallDependencies, 'database' | 'quotas' | 'clock'>,
  path: string,
  { organization, asset }: AuthorizedAsset,
): Promise<void> {
  await refreshSandboxClock({ database, clock }, organization)
  const db = database.forOrganization(organization)
  if (!(await isDownloadable(db, { organization, id: asset, path, now: clock.forOrganization(organization).now() }))) {
    throw new Problem('not-found', 'Nothing is stored at this URL.')
  }
  await requireEgressWithinQuota(db, { organization, quotas, clock: clock.forOrganization(organization) })
}

type DownloadDependencies = Pick<CallDependencies, 'database' | 'blobs' | 'clock' | 'quotas' | 'signer'>

/** The authorization and the egress accounting of signed download URLs. */
export function createDownloadAuthorizer(dependencies: DownloadDependencies, meter: EgressMeter) {
  return {
    /** Throws a Problem if the download that the URL was issued for is no longer allowed. */
    authorize: async (signedTerms: SignedDownload): Promise<void> => {
      const ticket = readDownloadGrant(signedTerms)
      if (ticket === null) return
      await authorizeDownload(dependencies, signedTerms.path, ticket)
      if (ticket.link !== null) await requireLinkStillActive(dependencies, ticket.organization, ticket.link)
    },
    recordEgress: (signedTerms: SignedDownload, bytes: number, isComplete: boolean): void => {
      const ticket = readDownloadGrant(signedTerms)
      if (ticket !== null) meter.record(ticket.organization, toEgressSubject(ticket), bytes, isComplete)
    },
    /** The archive at a signed URL, with a callback that records the bytes sent. */
    openArchiveDownload: async (target: string) => {
      const { parameters: signedTerms, size, stream } = await openZipArchiveStream(dependencies, target)
      const { organization, subject, file_name } = signedTerms
      return {
        file_name,
        size,
        stream,
        onSent: (bytes: number, isComplete: boolean): void =>
          meter.record(organization, { ...subject, link: null }, bytes, isComplete),
      }
    },
  }
}

/** A download that was issued through a link ends with the link. */
async function requireLinkStillActive(
  { database, clock }: DownloadDependencies,
  organization: string,
  id: string,
): Promise<void> {
  const link = await findShareLink(database.forOrganization(organization), organization, id)
  if (link) requireActiveShareLink(link, clock.forOrganization(organization).now())
}
