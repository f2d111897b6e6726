import type { CallGround } from '../../engine/open-call.ts'
import { admitDownload, ticketOf, type AdmittedTerms } from '../items/admit-download.ts'
import { openArchive } from '../items/archive/open-archive.ts'
import { subjectOf } from '../items/asset-ticket.ts'
import type { EgressMeter } from '../usage/egress-meter.ts'
import { requireOpen } from './open-link.ts'
import { findLink } from './store.ts'

type Ground = Pick<CallGround, 'database' | 'blobs' | 'clock' | 'quotas' | 'signer'>

/** The authorization and the egress accounting of signed download URLs. */
export function openDownloads(ground: Ground, meter: EgressMeter) {
  return {
    /** Throws a Problem if the download that the URL was issued for is no longer allowed. */
    admit: async (terms: AdmittedTerms): Promise<void> => {
      const ticket = ticketOf(terms)
      if (ticket === null) return
      await admitDownload(ground, terms.path, ticket)
      if (ticket.link !== null) await requireOpenLink(ground, ticket.organization, ticket.link)
    },
    note: (terms: AdmittedTerms, bytes: number, ended: boolean): void => {
      const ticket = ticketOf(terms)
      if (ticket !== null) meter.note(ticket.organization, subjectOf(ticket), bytes, ended)
    },
    /** The archive at a signed URL, with a callback that records the bytes sent. */
    archive: async (target: string) => {
      const { terms, size, stream } = await openArchive(ground, target)
      const { organization, subject, file_name } = terms
      return {
        file_name,
        size,
        stream,
        onSent: (bytes: number, ended: boolean): void =>
          meter.note(organization, { ...subject, link: null }, bytes, ended),
      }
    },
  }
}

/** A download that was issued through a link ends with the link. */
async function requireOpenLink({ database, clock }: Ground, organization: string, id: string): Promise<void> {
  const link = await findLink(database.of(organization), organization, id)
  if (link) requireOpen(link, clock.of(organization).now())
}
