import type { CallDependencies } from '../../engine/call-context.ts'
import { authorizeDownload, readDownloadGrant, type SignedDownload } from './authorize-download.ts'
import { openArchiveStream } from '../items/assets/archive/open-archive.ts'
import { egressSubject } from '../items/assets/download-grant.ts'
import type { EgressMeter } from '../usage/egress-meter.ts'
import { requireActiveLink } from './authorize-share-link.ts'
import { findShareLink } from './store.ts'

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
      if (ticket !== null) meter.record(ticket.organization, egressSubject(ticket), bytes, isComplete)
    },
    /** The archive at a signed URL, with a callback that records the bytes sent. */
    openArchiveDownload: async (target: string) => {
      const { parameters: signedTerms, size, stream } = await openArchiveStream(dependencies, target)
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
  if (link) requireActiveLink(link, clock.forOrganization(organization).now())
}
