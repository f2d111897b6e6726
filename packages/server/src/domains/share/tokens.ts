import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { Signer } from '../../platform/crypto/signer.ts'
import { randomText } from '../../platform/ids.ts'

const linkForm = /^swathshare_[0-9A-Za-z]{32}$/
const sessionForm = /^swathvisit_([0-9a-f]{32})-([0-9a-z]{1,7})-([0-9a-z]{1,9})-([\w-]{43})$/

const tokens = 'share-tokens'
const sessions = 'share-sessions'

/** A new token of a link: 190 random bits, told by its beginning wherever it must not be written down. */
export const makeLinkToken = (): string => `swathshare_${randomText(32)}`

/** By what a token is looked up; null for a text that is none. */
export const hashOfToken = (text: string): string | null => (linkForm.test(text) ? hashSecret(text) : null)

/** As it is kept for those who share. */
export const sealToken = (signer: Signer, token: string): string => signer.seal(tokens, token)
export const openToken = (signer: Signer, sealed: string): string | null => signer.open(tokens, sealed)

/** What a session says; all of it is signed, and nothing of it is stored. */
export interface SessionTerms {
  readonly link: string
  /** Of the password that it was exchanged for. */
  readonly version: number
  readonly expires_at: Date
}

/** A session as a token; `expires_at` is cut to whole seconds. */
export function writeSession(signer: Signer, { link, version, expires_at }: SessionTerms): string {
  const expires_s = Math.floor(expires_at.getTime() / 1000)
  const body = [link.replaceAll('-', ''), version.toString(36), expires_s.toString(36)]
  return `swathvisit_${body.join('-')}-${signer.sign(sessions, body)}`
}

/** Null for a text that is no session of this house; one that is over can still be read. */
export function readSession(signer: Signer, text: string): SessionTerms | null {
  const [, id, version, expires, signature] = sessionForm.exec(text) ?? []
  if (id === undefined || version === undefined || expires === undefined || signature === undefined) return null
  if (!signer.verify(sessions, [id, version, expires], signature)) return null
  return {
    link: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    version: Number.parseInt(version, 36),
    expires_at: new Date(Number.parseInt(expires, 36) * 1000),
  }
}
