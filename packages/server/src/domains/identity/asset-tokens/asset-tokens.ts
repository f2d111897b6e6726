import { limits } from '@swath/contract/limits.ts'
import type { Call } from '../../../engine/call.ts'
import type { MasterSecretSigner } from '../../../platform/crypto/signer.ts'
import { getTokenBody, token_prefixes } from '../../../platform/crypto/token-prefixes.ts'

// Tokens in the URLs of files, for readers that cannot send headers. They are signed and not stored, because a page of a search
// has hundreds: what ends one is looked up when it is used.

const purpose = 'asset-token'
const hour_ms = 3_600_000

/** What a token says: who issued it, directly or by an API key, and for which item. */
export interface AssetTokenClaims {
  readonly organization: string
  /** The user, or the API key. */
  readonly creator: string
  readonly item: string
  readonly expires_at: Date
}

type IssuingCall = Pick<Call, 'organization' | 'principal' | 'clock' | 'signer'>

/**
 * A function that issues tokens for the files of items, with the permissions of the caller; null for callers without permissions of
 * their own that could end: services, workers, other tokens in URLs, and operators who read as somebody else. The caller checks the
 * access to the items. Tokens of the same hour are equal.
 */
export function createAssetTokenIssuer(call: IssuingCall): ((item_id: string) => string) | null {
  const { principal, organization, signer } = call
  if (principal.user === null || principal.restriction !== undefined || principal.impersonator !== undefined)
    return null
  const now_ms = call.clock.process.now().getTime()
  const expires_s = (Math.ceil(now_ms / hour_ms) * hour_ms) / 1000 + limits.asset_token_seconds
  return (item) => {
    const body = encodeClaims([organization, principal.id, item], expires_s)
    return `${token_prefixes.asset_token}${body}.${signer.sign(purpose, [body])}`
  }
}

/**
 * A token, and what a reader added to the URL that ends with it: GDAL looks for sidecar files such as `.aux.xml`, as if the token were the
 * name of the file.
 */
export function splitAssetToken(text: string): { readonly token: string; readonly suffix: string } {
  const [, token = text, suffix = ''] = /^([^.]+\.[\w-]{43})(\..+)$/.exec(text) ?? []
  return { token, suffix }
}

/** The claims of a token of this platform; null for another text, and after its end. */
export function verifyAssetToken(signer: MasterSecretSigner, text: string, now: Date): AssetTokenClaims | null {
  const [body = '', signature = ''] = (getTokenBody('asset_token', text) ?? '').split('.')
  if (signature === '' || !signer.verify(purpose, [body], signature)) return null
  const claims = decodeClaims(body)
  return claims.expires_at > now ? claims : null
}

const uuid_bytes = 16

/** The bytes of the ids, then the end in seconds. */
function encodeClaims(ids: readonly string[], expires_s: number): string {
  const bytes = Buffer.alloc(ids.length * uuid_bytes + 6)
  ids.forEach((id, index) => bytes.write(id.replaceAll('-', ''), index * uuid_bytes, 'hex'))
  bytes.writeUIntBE(expires_s, ids.length * uuid_bytes, 6)
  return bytes.toString('base64url')
}

function decodeClaims(body: string): AssetTokenClaims {
  const bytes = Buffer.from(body, 'base64url')
  const [organization, creator, item] = [0, 1, 2].map((index) => readUuid(bytes, index * uuid_bytes)) as [
    string,
    string,
    string,
  ]
  return { organization, creator, item, expires_at: new Date(bytes.readUIntBE(3 * uuid_bytes, 6) * 1000) }
}

const readUuid = (bytes: Buffer, start: number): string =>
  bytes.toString('hex', start, start + uuid_bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
