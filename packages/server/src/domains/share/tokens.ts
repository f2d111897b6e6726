import { hashSecretSha256 } from '../../platform/crypto/secrets.ts'
import type { MasterSecretSigner } from '../../platform/crypto/signer.ts'
import { generateToken, token_prefixes, getTokenBody } from '../../platform/crypto/token-prefixes.ts'

const linkBodyPattern = /^[0-9A-Za-z]{32}$/
const sessionBodyPattern = /^([0-9a-f]{32})-([0-9a-z]{1,7})-([0-9a-z]{1,9})-([\w-]{43})$/

const linkTokenPurpose = 'share-tokens'
const sessionPurpose = 'share-sessions'

/** A new link token: 190 random bits, with a prefix by which secret scanners recognize it. */
export const generateShareLinkToken = (): string => generateToken('share_link', 32)

/** The hash by which a token is looked up; null if the text is not a link token. */
export const hashShareLinkToken = (text: string): string | null =>
  linkBodyPattern.test(getTokenBody('share_link', text) ?? '') ? hashSecretSha256(text) : null

/** The encrypted form in which a token is stored for its organization. */
export const encryptShareLinkToken = (signer: MasterSecretSigner, token: string): string =>
  signer.encrypt(linkTokenPurpose, token)
export const decryptShareLinkToken = (signer: MasterSecretSigner, sealed: string): string | null =>
  signer.decrypt(linkTokenPurpose, sealed)

/** The claims of a session; they are signed and not stored. */
export interface ShareSessionClaims {
  readonly link: string
  /** The version of the password that the session was issued for. */
  readonly version: number
  readonly expires_at: Date
}

/** The signed token of a session; `expires_at` is truncated to seconds. */
export function signShareSessionToken(
  signer: MasterSecretSigner,
  { link, version, expires_at }: ShareSessionClaims,
): string {
  const expires_s = Math.floor(expires_at.getTime() / 1000)
  const body = [link.replaceAll('-', ''), version.toString(36), expires_s.toString(36)]
  return `${token_prefixes.share_session}${body.join('-')}-${signer.sign(sessionPurpose, body)}`
}

/** Null if the text is not a session token of this deployment; an expired one is still parsed. */
export function verifyShareSessionToken(signer: MasterSecretSigner, text: string): ShareSessionClaims | null {
  const [, id, version, expiresBase36, signature] =
    sessionBodyPattern.exec(getTokenBody('share_session', text) ?? '') ?? []
  if (id === undefined || version === undefined || expiresBase36 === undefined || signature === undefined) return null
  if (!signer.verify(sessionPurpose, [id, version, expiresBase36], signature)) return null
  return {
    link: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    version: Number.parseInt(version, 36),
    expires_at: new Date(Number.parseInt(expiresBase36, 36) * 1000),
  }
}
