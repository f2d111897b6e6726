import { computeKeyId, signTextHmac, verifyTextHmac, type CurrentAndAcceptedKeys } from '../crypto/signatures.ts'
import { createFileNameParameter } from './content-disposition.ts'
import { assertBlobPath, type BlobPrefixQuota } from './blobs.ts'

/** The parameters of a signed blob URL; all of them are covered by the signature. */
export interface SignedUrlParameters {
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
  readonly within?: BlobPrefixQuota | null
}

export const blobPathPrefix = '/blobs/'

/** Each parameter is on its own line, so that no two different parameter lists give the same text. */
const toSignedText = (parameters: SignedUrlParameters, expires_s: number, keyId: string): string =>
  [
    parameters.method,
    parameters.path,
    String(expires_s),
    parameters.file_name,
    parameters.media_type,
    keyId,
    ...Object.values(optionalParameters(parameters)),
  ]
    .map((value) => encodeURIComponent(value))
    .join('\n')

/** The ticket and the limits as query parameters; absent ones are omitted. */
const optionalParameters = ({
  size = null,
  within: quota = null,
  ticket = '',
}: SignedUrlParameters): Record<string, string> => ({
  ...(size === null && quota === null
    ? {}
    : { size: String(size ?? ''), folder: quota?.folder ?? '', quota: String(quota?.bytes ?? '') }),
  ...(ticket === '' ? {} : { ticket }),
})

const toUnixSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** The complete URL from which an object is downloaded, or to which it is uploaded. */
export function signBlobUrl(keys: CurrentAndAcceptedKeys, base: string, parameters: SignedUrlParameters): string {
  assertBlobPath(parameters.path)
  const expires_s = toUnixSeconds(parameters.expires_at)
  const keyId = computeKeyId(keys[0])
  const query = new URLSearchParams({
    method: parameters.method,
    expires: String(expires_s),
    file_name: parameters.file_name,
    media_type: parameters.media_type,
    key_id: keyId,
    ...optionalParameters(parameters),
    ...createFileNameParameter(parameters.path, parameters.file_name),
    signature: signTextHmac(keys[0], toSignedText(parameters, expires_s, keyId)),
  })
  return `${base}${blobPathPrefix}${parameters.path}?${query}`
}

export type SignedUrlVerdict =
  | { readonly state: 'good'; readonly terms: SignedUrlParameters }
  | { readonly state: 'expired' }
  | { readonly state: 'refused' }

const refusedVerdict: SignedUrlVerdict = { state: 'refused' }

const parseInteger = (text: string): number | null => (/^\d{1,16}$/.test(text) ? Number(text) : null)

/**
 * Verifies a URL as received: `target` is the path with its query, not decoded. `expired` is reported only if the
 * signature is valid.
 */
export function verifyBlobUrl(
  keys: CurrentAndAcceptedKeys,
  method: string,
  target: string,
  now: Date,
): SignedUrlVerdict {
  const [path = '', search = ''] = target.split(/\?(.*)/s, 2)
  if (!path.startsWith(blobPathPrefix)) return refusedVerdict
  try {
    assertBlobPath(path.slice(blobPathPrefix.length))
  } catch {
    return refusedVerdict
  }
  const query = new URLSearchParams(search)
  const readSingle = (name: string): string => (query.getAll(name).length === 1 ? query.get(name)! : '')
  const signedMethod = readSingle('method')
  const expectedMethod = method === 'PUT' ? 'PUT' : 'GET'
  const expires = readSingle('expires')
  const key = keys.find((entry) => computeKeyId(entry) === readSingle('key_id'))
  if (signedMethod !== expectedMethod || !/^\d{1,12}$/.test(expires) || !key) return refusedVerdict
  const parameters: SignedUrlParameters = {
    method: expectedMethod,
    path: path.slice(blobPathPrefix.length),
    expires_at: new Date(Number(expires) * 1000),
    file_name: readSingle('file_name'),
    media_type: readSingle('media_type'),
    ticket: readSingle('ticket'),
    size: parseInteger(readSingle('size')),
    within:
      readSingle('folder') === ''
        ? null
        : { folder: readSingle('folder'), bytes: parseInteger(readSingle('quota')) ?? 0 },
  }
  if (!verifyTextHmac(key, toSignedText(parameters, Number(expires), computeKeyId(key)), readSingle('signature')))
    return refusedVerdict
  return parameters.expires_at <= now ? { state: 'expired' } : { state: 'good', terms: parameters }
}
