import { keyIdOf, signText, verifyText } from '../crypto/signatures.ts'
import { assertBlobPath, type FolderRoom } from './blobs.ts'

/** The parameters of a signed blob URL; all of them are covered by the signature. */
export interface AddressTerms {
  /** GET also covers HEAD. */
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly expires_at: Date
  /** Empty for PUT. */
  readonly file_name: string
  readonly media_type: string
  /** GET only: what the URL was issued for, as an opaque text of the caller. */
  readonly ticket?: string
  /** PUT only: the exact number of bytes to upload. */
  readonly size?: number | null
  /** PUT only: the quota for all objects under a prefix together. */
  readonly within?: FolderRoom | null
}

export const blobRoot = '/blobs/'

/** The signing keys: the first one signs, all of them verify, so that a key can be rotated without downtime. */
export type AddressKeys = readonly [Uint8Array, ...Uint8Array[]]

/** Each parameter is on its own line, so that no two different parameter lists give the same text. */
const textOf = (terms: AddressTerms, expires_s: number, keyId: string): string =>
  [
    terms.method,
    terms.path,
    String(expires_s),
    terms.file_name,
    terms.media_type,
    keyId,
    ...Object.values(limitsOf(terms)),
  ]
    .map((part) => encodeURIComponent(part))
    .join('\n')

/** The ticket and the limits as query parameters; absent ones are omitted. */
const limitsOf = ({ size = null, within = null, ticket = '' }: AddressTerms): Record<string, string> => ({
  ...(size === null && within === null
    ? {}
    : { size: String(size ?? ''), folder: within?.folder ?? '', room: String(within?.bytes ?? '') }),
  ...(ticket === '' ? {} : { ticket }),
})

const seconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** The complete URL from which an object is downloaded, or to which it is uploaded. */
export function signAddress(keys: AddressKeys, base: string, terms: AddressTerms): string {
  assertBlobPath(terms.path)
  const expires_s = seconds(terms.expires_at)
  const keyId = keyIdOf(keys[0])
  const query = new URLSearchParams({
    method: terms.method,
    expires: String(expires_s),
    file_name: terms.file_name,
    media_type: terms.media_type,
    key_id: keyId,
    ...limitsOf(terms),
    signature: signText(keys[0], textOf(terms, expires_s, keyId)),
  })
  return `${base}${blobRoot}${terms.path}?${query}`
}

export type AddressVerdict =
  | { readonly state: 'good'; readonly terms: AddressTerms }
  | { readonly state: 'expired' }
  | { readonly state: 'refused' }

const refused: AddressVerdict = { state: 'refused' }

const wholeNumber = (text: string): number | null => (/^\d{1,16}$/.test(text) ? Number(text) : null)

/**
 * Verifies a URL as received: `target` is the path with its query, not decoded. `expired` is reported only if the
 * signature is valid.
 */
export function verifyAddress(keys: AddressKeys, method: string, target: string, now: Date): AddressVerdict {
  const [path = '', search = ''] = target.split(/\?(.*)/s, 2)
  if (!path.startsWith(blobRoot)) return refused
  try {
    assertBlobPath(path.slice(blobRoot.length))
  } catch {
    return refused
  }
  const query = new URLSearchParams(search)
  const one = (name: string): string => (query.getAll(name).length === 1 ? query.get(name)! : '')
  const signed = one('method')
  const wanted = method === 'PUT' ? 'PUT' : 'GET'
  const expires = one('expires')
  const key = keys.find((entry) => keyIdOf(entry) === one('key_id'))
  if (signed !== wanted || !/^\d{1,12}$/.test(expires) || !key) return refused
  const terms: AddressTerms = {
    method: wanted,
    path: path.slice(blobRoot.length),
    expires_at: new Date(Number(expires) * 1000),
    file_name: one('file_name'),
    media_type: one('media_type'),
    ticket: one('ticket'),
    size: wholeNumber(one('size')),
    within: one('folder') === '' ? null : { folder: one('folder'), bytes: wholeNumber(one('room')) ?? 0 },
  }
  if (!verifyText(key, textOf(terms, Number(expires), keyIdOf(key)), one('signature'))) return refused
  return terms.expires_at <= now ? { state: 'expired' } : { state: 'good', terms }
}
