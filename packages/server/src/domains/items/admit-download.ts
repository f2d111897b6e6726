import type { CallGround } from '../../engine/open-call.ts'
import { Problem } from '../../engine/problem.ts'
import { requireBandwidth } from '../usage/egress.ts'
import { organizationOfPath, readTicket, type AssetTicket } from './asset-ticket.ts'
import { isFetchable } from './store.downloads.ts'

/** The verified parameters of a signed blob URL. */
export interface AdmittedTerms {
  readonly path: string
  readonly ticket?: string
}

export interface AdmittedAsset extends AssetTicket {
  readonly organization: string
}

/** The download grant of a signed URL; null if it was not issued for an asset, such as the URL of an upload. */
export function ticketOf({ path, ticket = '' }: AdmittedTerms): AdmittedAsset | null {
  const organization = organizationOfPath(path)
  const read = readTicket(ticket)
  return organization === null || read === null ? null : { organization, ...read }
}

/**
 * Rejects a signed URL if its asset or item is deleted or expired, or the organization has used up its daily egress.
 * Throws `not-found` or `bandwidth-breaker`.
 */
export async function admitDownload(
  { database, quotas, clock }: Pick<CallGround, 'database' | 'quotas' | 'clock'>,
  path: string,
  { organization, asset }: AdmittedAsset,
): Promise<void> {
  const db = database.of(organization)
  if (!(await isFetchable(db, organization, asset, path, clock.of(organization).now()))) {
    throw new Problem('not-found', 'Nothing is stored at this URL.')
  }
  await requireBandwidth(db, { organization, quotas, clock: clock.of(organization) })
}
