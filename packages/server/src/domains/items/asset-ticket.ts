import type { EgressSubject } from '../usage/egress.ts'

/** What a signed address was given out for; it stands in the address, under the signature. */
export interface AssetTicket {
  readonly asset: string
  /** The share link that it was given out through. */
  readonly link: string | null
}

const form = /^asset:([0-9a-f-]{36})(?::link:([0-9a-f-]{36}))?$/

export const writeTicket = ({ asset, link }: AssetTicket): string =>
  link === null ? `asset:${asset}` : `asset:${asset}:link:${link}`

/** Null for an address that was given out for something else. */
export function readTicket(text: string): AssetTicket | null {
  const [, asset, link = null] = form.exec(text) ?? []
  return asset === undefined ? null : { asset, link }
}

const folder = /^organizations\/([0-9a-f-]{36})\//

/** The organization whose bytes lie at a path. */
export const organizationOfPath = (path: string): string | null => folder.exec(path)?.[1] ?? null

export const subjectOf = ({ asset, link }: AssetTicket): EgressSubject => ({ type: 'asset', id: asset, link })
