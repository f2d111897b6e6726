import type { Signer } from '../../../platform/crypto/signer.ts'

/** The entity whose assets an archive contains. */
export interface ArchiveSubject {
  readonly type: 'item' | 'order'
  readonly id: string
}

/** The parameters of a signed archive URL; the signature covers all of them. */
export interface ArchiveTerms {
  readonly organization: string
  readonly subject: ArchiveSubject
  readonly file_name: string
  readonly expires_at: Date
}

export type ArchiveVerdict =
  | { readonly state: 'good'; readonly terms: ArchiveTerms }
  | { readonly state: 'expired' }
  | { readonly state: 'refused' }

export const archiveRoot = '/archives/'

const purpose = 'archive-addresses'

const partsOf = ({ organization, subject, file_name }: ArchiveTerms, expires_s: number): readonly string[] => [
  'GET',
  organization,
  subject.type,
  subject.id,
  file_name,
  String(expires_s),
]

const secondsOf = (time: Date): number => Math.ceil(time.getTime() / 1000)

/** The URL that serves the archive without a token until it expires. */
export function signArchive(signer: Signer, base: string, terms: ArchiveTerms): string {
  const { organization, subject, file_name, expires_at } = terms
  const expires = secondsOf(expires_at)
  const signature = signer.sign(purpose, partsOf(terms, expires))
  const query = new URLSearchParams({ organization, expires: String(expires), file_name, signature })
  return `${base}${archiveRoot}${subject.type}/${subject.id}?${query}`
}

const form = /^\/archives\/(item|order)\/([0-9a-f-]{36})$/

/** Verifies a request target (not decoded). Expiry is reported only if the signature is valid. */
export function readArchiveAddress(signer: Signer, target: string, now: Date): ArchiveVerdict {
  const [path = '', search = ''] = target.split(/\?(.*)/s, 2)
  const [, type, id] = form.exec(path) ?? []
  const query = new URLSearchParams(search)
  const one = (name: string): string => (query.getAll(name).length === 1 ? query.get(name)! : '')
  const expires = one('expires')
  if (type === undefined || id === undefined || !/^\d{1,12}$/.test(expires)) return { state: 'refused' }
  const terms: ArchiveTerms = {
    organization: one('organization'),
    subject: { type: type === 'item' ? 'item' : 'order', id },
    file_name: one('file_name'),
    expires_at: new Date(Number(expires) * 1000),
  }
  if (!signer.verify(purpose, partsOf(terms, Number(expires)), one('signature'))) return { state: 'refused' }
  return terms.expires_at <= now ? { state: 'expired' } : { state: 'good', terms }
}
