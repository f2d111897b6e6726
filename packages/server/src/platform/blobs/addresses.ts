import { keyIdOf, signText, verifyText } from '../crypto/signatures.ts'
import { assertBlobPath, type FolderRoom } from './blobs.ts'

/** What a signed address of the house says; all of it is under the signature. */
export interface AddressTerms {
  /** GET serves HEAD too. */
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly expires_at: Date
  /** Empty for PUT. */
  readonly file_name: string
  readonly media_type: string
  /** Of GET: what it was given out for, in the words of whoever did. */
  readonly ticket?: string
  /** Of PUT: it takes exactly so many bytes. */
  readonly size?: number | null
  /** Of PUT: the room that is left for everything in a folder together. */
  readonly within?: FolderRoom | null
}

export const blobRoot = '/blobs/'

/** The keys that may sign: the first one signs, all of them verify, so that a key can be changed without a gap. */
export type AddressKeys = readonly [Uint8Array, ...Uint8Array[]]

/** Every part on a line of its own, so that no two different terms give one text. */
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

/** The ticket and the limits of an address as members of its query; what it lacks is none. */
const limitsOf = ({ size = null, within = null, ticket = '' }: AddressTerms): Record<string, string> => ({
  ...(size === null && within === null
    ? {}
    : { size: String(size ?? ''), folder: within?.folder ?? '', room: String(within?.bytes ?? '') }),
  ...(ticket === '' ? {} : { ticket }),
})

const seconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** The whole address under which the door serves or takes an object. */
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
 * Reads an address as it came in: `target` is the path with its query, not decoded. Expiry is told apart from refusal
 * only after the signature holds.
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
