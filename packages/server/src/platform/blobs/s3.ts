import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Clock } from '../clock.ts'
import {
  assertBlobPath,
  assertMediaType,
  BlobNotFound,
  BlobStoreUnavailable,
  type BlobMetadata,
  type BlobStore,
} from './blobs.ts'
import { formatContentDisposition } from './content-disposition.ts'
import {
  applyS3RetryPolicy,
  readBodyChunks,
  s3RequestRetryPolicy,
  withTransferTimeLimit,
  type S3RetryPolicy,
} from './s3-limits.ts'
import { isS3Outage } from './s3-outage.ts'
import { putFileInParts, max_single_put_bytes } from './s3-multipart-put.ts'
import { createS3MultipartUploads } from './s3-multipart-uploads.ts'

export interface S3BlobStoreOptions {
  readonly bucket: string
  /** Without slashes at either end; empty for none. */
  readonly prefix: string
  readonly region: string
  /** Endpoint of an S3-compatible store, with path-style buckets; null for AWS itself. */
  readonly endpoint: string | null
  /** The endpoint as clients reach it, for signed URLs; null if it is the same. */
  readonly public_endpoint: string | null
  /** Null uses the credentials of the machine (instance role, profile). */
  readonly credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null
  readonly clock: Clock
  /** Default: those of requests. */
  readonly limits?: S3RetryPolicy
}

/** A client for one endpoint; its failures to reach the store are `BlobStoreUnavailable`. */
export function openS3Client(
  options: Pick<S3BlobStoreOptions, 'region' | 'credentials' | 'limits'>,
  endpoint: string | null,
): S3Client {
  const { limits = s3RequestRetryPolicy } = options
  const client = new S3Client({
    region: options.region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(options.credentials ? { credentials: options.credentials } : {}),
    // Other S3-compatible stores do not support the checksums that newer SDKs send by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: limits.max_attempts,
    // `applyS3RetryPolicy` measures inactivity: the timers of the SDK mistake a reader that pauses for a store that hangs.
    requestHandler: { connectionTimeout: limits.connect_timeout_ms, socketTimeout: 0 },
  })
  // The outermost step of every command, after all attempts: the only place that turns errors into outages.
  client.middlewareStack.add((next) => (args) => next(args).catch(throwAsOutage), {
    step: 'initialize',
    priority: 'high',
  })
  applyS3RetryPolicy(client, limits)
  return client
}

function throwAsOutage(error: unknown): never {
  throw isS3Outage(error) ? new BlobStoreUnavailable(error) : error
}

interface S3Bucket {
  readonly client: S3Client
  readonly signer: S3Client
  readonly bucket: string
  readonly clock: Clock
  readonly limits: S3RetryPolicy
  /** The bucket and key of an object, as the commands take them. */
  toObjectKey(path: string): { Bucket: string; Key: string }
}

export interface S3BlobStore extends BlobStore {
  readonly kind: 's3'
  close(): void
}

/** Opens a bucket of S3 or of a compatible store, without a request to it. */
export function openS3BlobStore(options: S3BlobStoreOptions): S3BlobStore {
  const client = openS3Client(options, options.endpoint)
  const signer = options.public_endpoint ? openS3Client(options, options.public_endpoint) : client
  const keyPrefix = options.prefix === '' ? '' : `${options.prefix}/`
  const { bucket, clock, limits = s3RequestRetryPolicy } = options
  const toObjectKey = (path: string): { Bucket: string; Key: string } => {
    assertBlobPath(path)
    return { Bucket: bucket, Key: `${keyPrefix}${path}` }
  }
  const store: S3Bucket = { client, signer, bucket, clock, limits, toObjectKey }
  const reader = createReader(store)
  return {
    kind: 's3',
    ...createWriter(store),
    ...reader,
    ...createS3MultipartUploads({ ...store, head: reader.head }),
    list: (prefix) => listObjects(store, keyPrefix, prefix),
    ...createUrlSigner(store),
    close: () => {
      client.destroy()
      if (signer !== client) signer.destroy()
    },
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  (error.$metadata.httpStatusCode === 404 || error.name === 'NoSuchKey' || error.name === 'NotFound')

const unquoteEtag = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '')

function createWriter({ client, toObjectKey }: S3Bucket): Pick<BlobStore, 'putFile' | 'putBytes' | 'delete'> {
  return {
    async putFile(path, localPath, mediaType) {
      assertMediaType(mediaType)
      const target = { ...toObjectKey(path), ContentType: mediaType }
      const { size } = await stat(localPath)
      const etag =
        size > max_single_put_bytes
          ? await putFileInParts(client, { target, localPath, size })
          : (
              await client.send(
                new PutObjectCommand({ ...target, Body: createReadStream(localPath), ContentLength: size }),
              )
            ).ETag
      await rm(localPath)
      return { size, media_type: mediaType, etag: unquoteEtag(etag) }
    },
    async putBytes(path, bytes, mediaType) {
      assertMediaType(mediaType)
      const { ETag } = await client.send(
        new PutObjectCommand({
          ...toObjectKey(path),
          ContentType: mediaType,
          Body: bytes,
          ContentLength: bytes.byteLength,
        }),
      )
      return { size: bytes.byteLength, media_type: mediaType, etag: unquoteEtag(ETag) }
    },
    async delete(path) {
      await client.send(new DeleteObjectCommand(toObjectKey(path)))
    },
  }
}

function createReader({
  client,
  bucket,
  limits,
  toObjectKey,
}: S3Bucket): Pick<BlobStore, 'localPath' | 'ping' | 'head' | 'read' | 'stream'> {
  const getObject = async (path: string, range: string | undefined, signal?: AbortSignal) => {
    try {
      return await client.send(new GetObjectCommand({ ...toObjectKey(path), Range: range }), { abortSignal: signal })
    } catch (error) {
      if (isMissing(error)) throw new BlobNotFound(path)
      // A range that starts at or past the end is empty here, and an error (416) in S3.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return null
      throw error
    }
  }
  const head = async (path: string): Promise<BlobMetadata | null> => {
    try {
      const { ContentLength, ContentType, ETag } = await client.send(new HeadObjectCommand(toObjectKey(path)))
      return {
        size: ContentLength ?? 0,
        media_type: ContentType ?? 'application/octet-stream',
        etag: unquoteEtag(ETag),
      }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }
  return {
    localPath: () => null,
    async ping() {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }))
      } catch (error) {
        throw error instanceof BlobStoreUnavailable ? error : new BlobStoreUnavailable(error)
      }
    },
    head,
    async read(path, offset, length, signal) {
      if (length > 0) {
        const range = `bytes=${offset}-${offset + length - 1}`
        const readAll = async (inner: AbortSignal): Promise<Uint8Array> => {
          const response = await getObject(path, range, inner)
          return response?.Body ? response.Body.transformToByteArray().catch(throwAsOutage) : new Uint8Array(0)
        }
        return withTransferTimeLimit({ limits, size_bytes: length, work: readAll, signal })
      }
      if (!(await head(path))) throw new BlobNotFound(path)
      return new Uint8Array(0)
    },
    async stream(path, range) {
      const response = await getObject(path, range && `bytes=${range.start}-${range.end}`)
      const body = response?.Body
      if (body instanceof Readable) return toWebStream(body, limits)
      return new Blob([]).stream()
    },
  }
}

/** A body as a web stream whose outages are reported as `BlobStoreUnavailable`. */
function toWebStream(body: Readable, limits: S3RetryPolicy): ReadableStream<Uint8Array> {
  const chunks = readBodyChunks(body as AsyncIterable<Uint8Array>, limits, (error) => body.destroy(error))
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next().catch(throwAsOutage)
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  )
}

async function* listObjects(
  { client, bucket }: S3Bucket,
  keyPrefix: string,
  prefix: string,
): AsyncGenerator<{ path: string; size: number }> {
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `${keyPrefix}${prefix}`, ContinuationToken: token }),
    )
    for (const { Key = '', Size = 0 } of page.Contents ?? []) yield { path: Key.slice(keyPrefix.length), size: Size }
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

function createUrlSigner({ signer, clock, toObjectKey }: S3Bucket): Pick<BlobStore, 'signGet' | 'signPut'> {
  const signingOptions = (expires_s: number) => {
    const now = clock.now()
    return {
      options: { expiresIn: expires_s, signingDate: now },
      expires_at: new Date(now.getTime() + expires_s * 1000),
    }
  }
  return {
    async signGet(path, { expires_s, file_name, media_type }) {
      const { options, expires_at } = signingOptions(expires_s)
      const command = new GetObjectCommand({
        ...toObjectKey(path),
        ResponseContentDisposition: formatContentDisposition(file_name),
        ResponseContentType: media_type,
      })
      return { url: await getSignedUrl(signer, command, options), expires_at }
    },
    async signPut(path, { expires_s, media_type, size = null }) {
      assertMediaType(media_type)
      const { options, expires_at } = signingOptions(expires_s)
      const contentLength = size === null ? {} : { ContentLength: size }
      const command = new PutObjectCommand({ ...toObjectKey(path), ContentType: media_type, ...contentLength })
      const headers = ['content-type', ...(size === null ? [] : ['content-length'])]
      const presignOptions = { ...options, signableHeaders: new Set(headers) }
      return { url: await getSignedUrl(signer, command, presignOptions), expires_at }
    },
  }
}
