import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  S3ServiceException,
  UploadPartCommand,
  type AbortMultipartUploadCommandInput,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Clock } from '../clock.ts'
import {
  assertMediaType,
  InvalidUploadParts,
  type BlobMetadata,
  type MultipartUploads,
  type UploadedPart,
  type SignedPutOptions,
  type SignedUrl,
} from './blobs.ts'

interface S3UploadStore {
  readonly client: S3Client
  readonly signer: S3Client
  readonly clock: Clock
  toObjectKey(path: string): { Bucket: string; Key: string }
  head(path: string): Promise<BlobMetadata | null>
}

/** S3 errors that mean the parts cannot be joined, as opposed to a failure of the store. */
const invalidPartErrors = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'NoSuchUpload', 'MalformedXML'])

const isUploadGone = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchUpload' || error.$metadata.httpStatusCode === 404)

const unquoteEtag = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '')

/** Multipart uploads of S3; the upload id is that of S3. */
export function createS3MultipartUploads(store: S3UploadStore): MultipartUploads {
  const { client, toObjectKey } = store
  const listUploadedParts = (path: string, uploadId: string): Promise<UploadedPart[]> =>
    listAllParts(store, path, uploadId)
  return {
    listParts: listUploadedParts,
    async createMultipartUpload(path, mediaType) {
      assertMediaType(mediaType)
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ ...toObjectKey(path), ContentType: mediaType }),
      )
      if (!UploadId) throw new Error('the store returned no id for the multipart upload')
      return UploadId
    },
    signUploadPart: (path, uploadId, number, options) => signUploadPart(store, { path, uploadId, number }, options),
    async completeMultipartUpload(path, uploadId, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` }))
      try {
        await client.send(
          new CompleteMultipartUploadCommand({ ...toObjectKey(path), UploadId: uploadId, MultipartUpload: { Parts } }),
        )
      } catch (error) {
        if (!(error instanceof S3ServiceException && invalidPartErrors.has(error.name))) throw error
        throw new InvalidUploadParts(`the store cannot join the parts: ${error.message}`)
      }
      const metadata = await store.head(path)
      if (!metadata) throw new Error('the store completed the multipart upload, but the object is missing')
      return metadata
    },
    abortMultipartUpload: (path, uploadId) => abortUpload(store, { ...toObjectKey(path), UploadId: uploadId }),
    async abortAllMultipartUploads(folder) {
      const { Bucket, Key } = toObjectKey(folder)
      for (const upload of await listUploads(store, Bucket, `${Key}/`)) await abortUpload(store, { Bucket, ...upload })
    },
  }
}

type Upload = Required<Pick<AbortMultipartUploadCommandInput, 'Key' | 'UploadId'>>

async function abortUpload({ client }: S3UploadStore, upload: Upload & { Bucket: string }): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload))
  } catch (error) {
    if (!isUploadGone(error)) throw error
  }
}

async function listUploads({ client }: S3UploadStore, Bucket: string, Prefix: string): Promise<Upload[]> {
  const uploads: Upload[] = []
  let at: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
  while (at !== null) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix, ...at }),
    )
    for (const { Key, UploadId } of page.Uploads ?? [])
      if (Key?.startsWith(Prefix) && UploadId) uploads.push({ Key, UploadId })
    at = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null
  }
  return uploads
}

async function listAllParts(
  { client, toObjectKey }: S3UploadStore,
  path: string,
  uploadId: string,
): Promise<UploadedPart[]> {
  const parts: UploadedPart[] = []
  let marker: string | undefined
  do {
    const command = new ListPartsCommand({ ...toObjectKey(path), UploadId: uploadId, PartNumberMarker: marker })
    const page = await client.send(command).catch((error: unknown) => {
      if (isUploadGone(error)) return null
      throw error
    })
    if (page === null) return []
    for (const { PartNumber = 0, Size = 0, ETag } of page.Parts ?? [])
      parts.push({ number: PartNumber, size: Size, etag: unquoteEtag(ETag) })
    marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
  } while (marker !== undefined)
  return parts
}

async function signUploadPart(
  { signer, clock, toObjectKey }: S3UploadStore,
  { path, uploadId, number }: { readonly path: string; readonly uploadId: string; readonly number: number },
  { expires_s, size = null }: SignedPutOptions,
): Promise<SignedUrl> {
  const now = clock.now()
  const contentLength = size === null ? {} : { ContentLength: size }
  const command = new UploadPartCommand({
    ...toObjectKey(path),
    UploadId: uploadId,
    PartNumber: number,
    ...contentLength,
  })
  const url = await getSignedUrl(signer, command, {
    expiresIn: expires_s,
    signingDate: now,
    ...(size === null ? {} : { signableHeaders: new Set(['content-length']) }),
  })
  return { url, expires_at: new Date(now.getTime() + expires_s * 1000) }
}
