import type { MasterSecretSigner } from '../../../../platform/crypto/signer.ts'
import { createFileNameParameter } from '../../../../platform/blobs/content-disposition.ts'

/** The entity whose assets an archive contains. */
export interface ArchiveUrlSubject {
  readonly type: 'item' | 'order'
  readonly id: string
}

/** The parameters of a signed archive URL; the signature covers all of them. */
export interface ArchiveUrlParameters {
  readonly organization: string
  readonly subject: ArchiveUrlSubject
  readonly file_name: string
  readonly expires_at: Date
}

export type ArchiveUrlVerdict =
  | { readonly state: 'good'; readonly parameters: ArchiveUrlParameters }
  | { readonly state: 'expired' }
  | { readonly state: 'refused' }

export const zipArchivePathPrefix = '/archives/'

const purpose = 'archive-addresses'

const signedParts = (
  { organization, subject, file_name }: ArchiveUrlParameters,
  expires_s: number,
): readonly string[] => ['GET', organization, subject.type, subject.id, file_name, String(expires_s)]

const toUnixSeconds = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** The URL that serves the archive without a token until it expires. */
export function signArchiveUrl(signer: MasterSecretSigner, base: string, parameters: ArchiveUrlParameters): string {
  const { organization, subject, file_name, expires_at } = parameters
  const expires = toUnixSeconds(expires_at)
  const signature = signer.sign(purpose, signedParts(parameters, expires))
  const path = `${zipArchivePathPrefix}${subject.type}/${subject.id}`
  const named = createFileNameParameter(path, file_name)
  const query = new URLSearchParams({ organization, expires: String(expires), file_name, ...named, signature })
  return `${base}${path}?${query}`
}

const pathPattern = /^\/archives\/(item|order)\/([0-9a-f-]{36})$/

/** Verifies a request target (not decoded). Expiry is reported only if the signature is valid. */
export function verifyArchiveUrl(signer: MasterSecretSigner, target: string, now: Date): ArchiveUrlVerdict {
  const [path = '', search = ''] = target.split(/\?(.*)/s, 2)
  const [, type, id] = pathPattern.exec(path) ?? []
  const query = new URLSearchParams(search)
  const singleParameter = (name: string): string => (query.getAll(name).length === 1 ? query.get(name)! : '')
  const expires = singleParameter('expires')
  if (type === undefined || id === undefined || !/^\d{1,12}$/.test(expires)) return { state: 'refused' }
  const parameters: ArchiveUrlParameters = {
    organization: singleParameter('organization'),
    subject: { type: type === 'item' ? 'item' : 'order', id },
    file_name: singleParameter('file_name'),
    expires_at: new Date(Number(expires) * 1000),
  }
  if (!signer.verify(purpose, signedParts(parameters, Number(expires)), singleParameter('signature')))
    return { state: 'refused' }
  return parameters.expires_at <= now ? { state: 'expired' } : { state: 'good', parameters }
}
