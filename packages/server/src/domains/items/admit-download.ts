import type { CallGround } from '../../engine/open-call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireBandwidth } from '../usage/egress.ts'
import { organizationOfPath, readTicket, type AssetTicket } from './asset-ticket.ts'
import { isFetchable } from './store.downloads.ts'

/** What the door knows of a signed address. */
export interface AdmittedTerms {
  readonly path: string
  readonly ticket?: string
}

export interface AdmittedAsset extends AssetTicket {
  readonly organization: string
}

/** What an address of an asset was given out for; null for one of something else, such as an upload that is read back. */
export function ticketOf({ path, ticket = '' }: AdmittedTerms): AdmittedAsset | null {
  const organization = organizationOfPath(path)
  const read = readTicket(ticket)
  return organization === null || read === null ? null : { organization, ...read }
}

/**
 * Refuses a signed address once its asset or item was deleted or has expired, and while the organization has sent what
 * it may today. Throws `not-found` or `bandwidth-breaker`.
 */
export async function admitDownload(
  { database, quotas, clock }: Pick<CallGround, 'database' | 'quotas' | 'clock'>,
  path: string,
  { organization, asset }: AdmittedAsset,
): Promise<void> {
  const db = database.of(organization)
  if (!(await isFetchable(db, organization, asset, path, clock.of(organization).now()))) {
    throw new Problem('not-found', 'Nothing is stored at this address.')
  }
  await requireBandwidth(db, { organization, quotas, clock: clock.of(organization) })
}
