import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SignatureV4CryptoInit } from '@smithy/signature-v4'
import { RasterFailure } from '../../failures.ts'
import type { Source } from '../../types.ts'
import { httpSource } from './http.ts'
import type { HttpFetch, HttpSourceOptions } from './http.ts'

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface S3Object {
  readonly bucket: string
  readonly key: string
  readonly region: string
  /** Default: the AWS endpoint. */
  readonly endpoint?: string
  /** A function is called before every request, so that it can renew expiring credentials. */
  readonly credentials: S3Credentials | (() => Promise<S3Credentials>)
  /** Puts the bucket into the path, as S3-compatible stores need it; otherwise it is part of the host. */
  readonly forcePathStyle?: boolean
}

/**
 * An object in S3 or a compatible store, read by signed range requests; otherwise like `httpSource`. A key with the segment
 * `.` or `..` is a `source` failure. `now` replaces the clock.
 */
export function s3Source(
  object: S3Object,
  fetchRange: HttpFetch,
  options: HttpSourceOptions & { readonly now?: () => Date } = {},
): Source {
  const { region, credentials, bucket, key } = object
  // S3 signs the path as it is sent, not escaped once more.
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false })
  const askSigned: HttpFetch = async (address, request) => {
    const { protocol, hostname, host, pathname } = new URL(address)
    const { headers } = await signer.sign(
      // Only what decides about the answer is signed: the rest may change on its way.
      { method: 'GET', protocol, hostname, path: pathname, headers: { host, range: request.headers['range']! } },
      { signingDate: options.now?.() },
    )
    const { host: _, ...signed } = headers
    return fetchRange(address, { ...request, headers: { ...request.headers, ...signed } })
  }
  return httpSource(addressOf(object), askSigned, { id: `s3://${bucket}/${key}`, ...options })
}

function addressOf({ bucket, key, region, endpoint, forcePathStyle }: S3Object): string {
  const base = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  const parts = key.split('/')
  if (key === '' || parts.includes('.') || parts.includes('..')) {
    throw new RasterFailure('source', 'the key of the object cannot be asked for')
  }
  // A bucket with dots is no single label below the certificate of the store.
  const inPath = forcePathStyle || (bucket.includes('.') && base.protocol === 'https:')
  if (!inPath) base.hostname = `${bucket}.${base.hostname}`
  const path = [...(inPath ? [bucket] : []), ...parts].map(escapePart).join('/')
  return `${base.origin}${base.pathname.replace(/\/$/, '')}/${path}`
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
const escapePart = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** SHA-256, keyed where there is a secret, as the signer wants to construct it. */
const sha256 = function (this: unknown, secret?: Uint8Array) {
  const create = () => (secret ? createHmac('sha256', secret) : createHash('sha256'))
  let hash = create()
  return {
    update: (data: Uint8Array) => void hash.update(data),
    digest: async () => new Uint8Array(hash.digest()),
    reset: () => void (hash = create()),
  }
} as unknown as SignatureV4CryptoInit['sha256']
