import type { EgressSubject } from '../usage/egress.ts'

/** What a signed URL was issued for; part of the URL and covered by its signature. */
export interface AssetTicket {
  readonly asset: string
  /** The share link through which it was issued. */
  readonly link: string | null
}

const form = /^asset:([0-9a-f-]{36})(?::link:([0-9a-f-]{36}))?$/

export const writeTicket = ({ asset, link }: AssetTicket): string =>
  link === null ? `asset:${asset}` : `asset:${asset}:link:${link}`

/** Null for a URL that was not issued for an asset. */
export function readTicket(text: string): AssetTicket | null {
  const [, asset, link = null] = form.exec(text) ?? []
  return asset === undefined ? null : { asset, link }
}

const folder = /^organizations\/([0-9a-f-]{36})\//

/** The organization that owns the object at a path. */
export const organizationOfPath = (path: string): string | null => folder.exec(path)?.[1] ?? null

export const subjectOf = ({ asset, link }: AssetTicket): EgressSubject => ({ type: 'asset', id: asset, link })
