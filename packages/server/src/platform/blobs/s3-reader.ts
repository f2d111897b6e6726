import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { s3BackgroundRetryPolicy } from './s3-limits.ts'
import { openS3Client, type S3BlobStoreOptions } from './s3.ts'

/** Reads a bucket whose objects were put there by others, under any names. Paths are below the prefix. */
export interface S3Reader {
  list(max_entries: number): Promise<readonly { path: string; size: number; version: string }[]>
  /** Throws if the object is longer than `max_bytes`. */
  read(path: string, max_bytes: number): Promise<Uint8Array>
  /** The length in bytes, and what changes with the bytes. */
  describe(path: string): Promise<{ size: number; version: string }>
  /** Fewer bytes only at the end; throws if the object is no longer of the version. */
  readRange(
    path: string,
    range: { readonly offset: number; readonly length: number; readonly version: string },
    signal?: AbortSignal,
  ): Promise<Uint8Array>
  download(path: string, localPath: string, signal: AbortSignal): Promise<void>
}

export function openS3Reader(
  options: Pick<S3BlobStoreOptions, 'bucket' | 'prefix' | 'region' | 'endpoint' | 'credentials'>,
): S3Reader {
  const client = openS3Client({ ...options, limits: s3BackgroundRetryPolicy }, options.endpoint)
  const { bucket: Bucket, prefix } = options
  const keyPrefix = prefix === '' ? '' : `${prefix}/`
  const objectOf = (path: string) => ({ Bucket, Key: `${keyPrefix}${path}` })
  const describe: S3Reader['describe'] = async (path) => {
    const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand(objectOf(path)))
    return { size: ContentLength, version: ETag }
  }
  return {
    describe,
    async readRange(path, { offset, length, version }, signal) {
      const Range = `bytes=${offset}-${offset + length - 1}`
      const { Body } = await client.send(
        new GetObjectCommand({ ...objectOf(path), Range, ...(version === '' ? {} : { IfMatch: version }) }),
        signal ? { abortSignal: signal } : {},
      )
      return Body ? Body.transformToByteArray() : new Uint8Array()
    },
    async list(max_entries) {
      const entries: { path: string; size: number; version: string }[] = []
      for (let token: string | undefined; entries.length < max_entries;) {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix: keyPrefix, ...(token ? { ContinuationToken: token } : {}) }),
        )
        for (const { Key = '', Size = 0, ETag = '' } of page.Contents ?? [])
          entries.push({ path: Key.slice(keyPrefix.length), size: Size, version: ETag })
        token = page.NextContinuationToken
        if (!token) break
      }
      return entries.slice(0, max_entries)
    },
    async read(path, max_bytes) {
      const { size } = await describe(path)
      if (size > max_bytes) throw new Error(`"${path}" is longer than ${max_bytes} bytes`)
      const { Body } = await client.send(new GetObjectCommand(objectOf(path)))
      return Body ? Body.transformToByteArray() : new Uint8Array()
    },
    async download(path, localPath, signal) {
      const { Body } = await client.send(new GetObjectCommand(objectOf(path)), { abortSignal: signal })
      if (!(Body instanceof Readable)) throw new Error(`"${path}" has no content`)
      await pipeline(Body, createWriteStream(localPath), { signal })
    },
  }
}
