import type { BlobStore } from './blobs.ts'

/** A URL is signed without a request to the store; no object of this path is ever written. */
const probe = { path: 'origin', media_type: 'application/octet-stream', expires_s: 60, base: '' } as const

/** The origin that browsers send files to; null if that is this server, or if the store cannot sign now. */
export async function findUploadUrlOrigin({
  kind,
  signPut,
}: Pick<BlobStore, 'kind' | 'signPut'>): Promise<string | null> {
  if (kind !== 's3') return null
  const { path, ...options } = probe
  const signed = await signPut(path, options).catch(() => null)
  return signed && new URL(signed.url).origin
}
