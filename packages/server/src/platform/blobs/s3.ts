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
import { assertBlobPath, assertMediaType, BlobMissing, BlobsUnavailable, type BlobFacts, type Blobs } from './blobs.ts'
import { attachmentHeader } from './disposition.ts'
import { limitCalls, piecesOf, requestLimits, withinLimits, type S3Limits } from './s3-limits.ts'
import { isOutage } from './s3-outage.ts'
import { putParts, singlePut_bytes } from './s3-parts.ts'
import { s3Sendings } from './s3-sendings.ts'

export interface S3Options {
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
  /** Those for requests if omitted. */
  readonly limits?: S3Limits
}

function openClient(options: S3Options, endpoint: string | null): S3Client {
  const { limits = requestLimits } = options
  const client = new S3Client({
    region: options.region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(options.credentials ? { credentials: options.credentials } : {}),
    // Other S3-compatible stores do not support the checksums that newer SDKs send by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: limits.attempts,
    // `applyLimits` measures inactivity: the timers of the SDK mistake a reader that pauses for a store that hangs.
    requestHandler: { connectionTimeout: limits.connection_ms, socketTimeout: 0 },
  })
  // The outermost step of every command, after all attempts: the only place that turns errors into outages.
  client.middlewareStack.add((next) => (args) => next(args).catch(tellOutage), { step: 'initialize', priority: 'high' })
  limitCalls(client, limits)
  return client
}

function tellOutage(error: unknown): never {
  throw isOutage(error) ? new BlobsUnavailable(error) : error
}

interface Store {
  readonly client: S3Client
  readonly signer: S3Client
  readonly bucket: string
  readonly clock: Clock
  readonly limits: S3Limits
  /** The bucket and key of an object, as the commands take them. */
  at(path: string): { Bucket: string; Key: string }
}

export interface S3Blobs extends Blobs {
  readonly kind: 's3'
  close(): void
}

/** Opens a bucket of S3 or of a compatible store, without a request to it. */
export function openS3Blobs(options: S3Options): S3Blobs {
  const client = openClient(options, options.endpoint)
  const signer = options.public_endpoint ? openClient(options, options.public_endpoint) : client
  const root = options.prefix === '' ? '' : `${options.prefix}/`
  const { bucket, clock, limits = requestLimits } = options
  const at = (path: string): { Bucket: string; Key: string } => {
    assertBlobPath(path)
    return { Bucket: bucket, Key: `${root}${path}` }
  }
  const store: Store = { client, signer, bucket, clock, limits, at }
  const read = reading(store)
  return {
    kind: 's3',
    ...writing(store),
    ...read,
    ...s3Sendings({ ...store, head: read.head }),
    list: (prefix) => listObjects(store, root, prefix),
    ...signing(store),
    close: () => {
      client.destroy()
      if (signer !== client) signer.destroy()
    },
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  (error.$metadata.httpStatusCode === 404 || error.name === 'NoSuchKey' || error.name === 'NotFound')

const unquoted = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '')

function writing({ client, at }: Store): Pick<Blobs, 'putFile' | 'putBytes' | 'delete'> {
  return {
    async putFile(path, localPath, mediaType) {
      assertMediaType(mediaType)
      const target = { ...at(path), ContentType: mediaType }
      const { size } = await stat(localPath)
      const etag =
        size > singlePut_bytes
          ? await putParts(client, target, localPath, size)
          : (
              await client.send(
                new PutObjectCommand({ ...target, Body: createReadStream(localPath), ContentLength: size }),
              )
            ).ETag
      await rm(localPath)
      return { size, media_type: mediaType, etag: unquoted(etag) }
    },
    async putBytes(path, bytes, mediaType) {
      assertMediaType(mediaType)
      const { ETag } = await client.send(
        new PutObjectCommand({ ...at(path), ContentType: mediaType, Body: bytes, ContentLength: bytes.byteLength }),
      )
      return { size: bytes.byteLength, media_type: mediaType, etag: unquoted(ETag) }
    },
    async delete(path) {
      await client.send(new DeleteObjectCommand(at(path)))
    },
  }
}

function reading({
  client,
  bucket,
  limits,
  at,
}: Store): Pick<Blobs, 'localPath' | 'ping' | 'head' | 'read' | 'stream'> {
  const get = async (path: string, range: string | undefined, signal?: AbortSignal) => {
    try {
      return await client.send(new GetObjectCommand({ ...at(path), Range: range }), { abortSignal: signal })
    } catch (error) {
      if (isMissing(error)) throw new BlobMissing(path)
      // A range that starts at or past the end is empty here, and an error (416) in S3.
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416) return null
      throw error
    }
  }
  const head = async (path: string): Promise<BlobFacts | null> => {
    try {
      const { ContentLength, ContentType, ETag } = await client.send(new HeadObjectCommand(at(path)))
      return {
        size: ContentLength ?? 0,
        media_type: ContentType ?? 'application/octet-stream',
        etag: unquoted(ETag),
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
        throw error instanceof BlobsUnavailable ? error : new BlobsUnavailable(error)
      }
    },
    head,
    async read(path, offset, length, signal) {
      if (length > 0) {
        const range = `bytes=${offset}-${offset + length - 1}`
        const readAll = async (inner: AbortSignal): Promise<Uint8Array> => {
          const answer = await get(path, range, inner)
          return answer?.Body ? answer.Body.transformToByteArray().catch(tellOutage) : new Uint8Array(0)
        }
        return withinLimits(limits, length, readAll, signal)
      }
      if (!(await head(path))) throw new BlobMissing(path)
      return new Uint8Array(0)
    },
    async stream(path, range) {
      const answer = await get(path, range && `bytes=${range.start}-${range.end}`)
      const body = answer?.Body
      if (body instanceof Readable) return streamOf(body, limits)
      return new Blob([]).stream()
    },
  }
}

/** A body as a web stream whose outages are reported as `BlobStoreUnavailable`. */
function streamOf(body: Readable, limits: S3Limits): ReadableStream<Uint8Array> {
  const pieces = piecesOf(body as AsyncIterable<Uint8Array>, limits, (error) => body.destroy(error))
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next().catch(tellOutage)
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  )
}

async function* listObjects(
  { client, bucket }: Store,
  root: string,
  prefix: string,
): AsyncGenerator<{ path: string; size: number }> {
  let token: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `${root}${prefix}`, ContinuationToken: token }),
    )
    for (const { Key = '', Size = 0 } of page.Contents ?? []) yield { path: Key.slice(root.length), size: Size }
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

function signing({ signer, clock, at }: Store): Pick<Blobs, 'signGet' | 'signPut'> {
  const terms = (expires_s: number) => {
    const now = clock.now()
    return {
      options: { expiresIn: expires_s, signingDate: now },
      expires_at: new Date(now.getTime() + expires_s * 1000),
    }
  }
  return {
    async signGet(path, { expires_s, file_name, media_type }) {
      const { options, expires_at } = terms(expires_s)
      const command = new GetObjectCommand({
        ...at(path),
        ResponseContentDisposition: attachmentHeader(file_name),
        ResponseContentType: media_type,
      })
      return { url: await getSignedUrl(signer, command, options), expires_at }
    },
    async signPut(path, { expires_s, media_type, size = null }) {
      assertMediaType(media_type)
      const { options, expires_at } = terms(expires_s)
      const sized = size === null ? {} : { ContentLength: size }
      const command = new PutObjectCommand({ ...at(path), ContentType: media_type, ...sized })
      const headers = ['content-type', ...(size === null ? [] : ['content-length'])]
      const signed = { ...options, signableHeaders: new Set(headers) }
      return { url: await getSignedUrl(signer, command, signed), expires_at }
    },
  }
}
