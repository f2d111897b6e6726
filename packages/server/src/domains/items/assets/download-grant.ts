import type { EgressSubject } from '../../usage/egress.ts'

/** The asset that a signed URL was issued for; part of the URL and covered by its signature. */
export interface DownloadGrant {
  readonly asset: string
  /** The share link through which it was issued. */
  readonly link: string | null
}

const pattern = /^asset:([0-9a-f-]{36})(?::link:([0-9a-f-]{36}))?$/

export const formatDownloadGrant = ({ asset, link }: DownloadGrant): string =>
  link === null ? `asset:${asset}` : `asset:${asset}:link:${link}`

/** Null for a URL that was not issued for an asset. */
export function parseDownloadGrant(text: string): DownloadGrant | null {
  const [, asset, link = null] = pattern.exec(text) ?? []
  return asset === undefined ? null : { asset, link }
}

const organizationFolder = /^organizations\/([0-9a-f-]{36})\//

/** The organization that owns the object at a path. */
export const findOrganizationOfBlobPath = (path: string): string | null => organizationFolder.exec(path)?.[1] ?? null

export const toEgressSubject = ({ asset, link }: DownloadGrant): EgressSubject => ({ type: 'asset', id: asset, link })
