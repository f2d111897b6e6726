import type { CallGround } from '../../engine/open-call.ts'
import { admitDownload, ticketOf, type AdmittedTerms } from '../items/admit-download.ts'
import { openArchive } from '../items/archive/open-archive.ts'
import { subjectOf } from '../items/asset-ticket.ts'
import type { EgressMeter } from '../usage/egress-meter.ts'

type Ground = Pick<CallGround, 'database' | 'blobs' | 'clock' | 'quotas' | 'signer'>

/** What the doors of signed addresses ask: may this still be fetched, and note that it was. */
export function openDownloads(ground: Ground, meter: EgressMeter) {
  return {
    /** Throws a Problem where what the address was given out for may be fetched no longer. */
    admit: async (terms: AdmittedTerms): Promise<void> => {
      const ticket = ticketOf(terms)
      if (ticket !== null) await admitDownload(ground, terms.path, ticket)
    },
    note: (terms: AdmittedTerms, bytes: number, ended: boolean): void => {
      const ticket = ticketOf(terms)
      if (ticket !== null) meter.note(ticket.organization, subjectOf(ticket), bytes, ended)
    },
    /** The archive at a signed address, and what hears of its bytes. */
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
