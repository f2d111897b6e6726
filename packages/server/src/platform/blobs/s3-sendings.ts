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
  PartsUnusable,
  type BlobFacts,
  type PartBlobs,
  type PartFacts,
  type PutTerms,
  type SignedAddress,
} from './blobs.ts'

interface Store {
  readonly client: S3Client
  readonly signer: S3Client
  readonly clock: Clock
  at(path: string): { Bucket: string; Key: string }
  head(path: string): Promise<BlobFacts | null>
}

/** S3 errors that mean the parts cannot be joined, as opposed to a failure of the store. */
const unusable = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'NoSuchUpload', 'MalformedXML'])

const isOver = (error: unknown): boolean =>
  error instanceof S3ServiceException && (error.name === 'NoSuchUpload' || error.$metadata.httpStatusCode === 404)

const plainTag = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '')

/** Multipart uploads of S3; the upload id is that of S3. */
export function s3Sendings(store: Store): PartBlobs {
  const { client, at } = store
  const listParts = (path: string, sending: string): Promise<PartFacts[]> => listAll(store, path, sending)
  return {
    listParts,
    async beginParts(path, mediaType) {
      assertMediaType(mediaType)
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...at(path), ContentType: mediaType }))
      if (!UploadId) throw new Error('the store returned no id for the multipart upload')
      return UploadId
    },
    signPart: (path, sending, number, options) => signPart(store, path, sending, number, options),
    async joinParts(path, sending, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` }))
      try {
        await client.send(
          new CompleteMultipartUploadCommand({ ...at(path), UploadId: sending, MultipartUpload: { Parts } }),
        )
      } catch (error) {
        if (!(error instanceof S3ServiceException && unusable.has(error.name))) throw error
        throw new PartsUnusable(`the store cannot join the parts: ${error.message}`)
      }
      const facts = await store.head(path)
      if (!facts) throw new Error('the store completed the multipart upload, but the object is missing')
      return facts
    },
    dropParts: (path, sending) => abort(store, { ...at(path), UploadId: sending }),
    async dropAllParts(folder) {
      const { Bucket, Key } = at(folder)
      for (const upload of await listUploads(store, Bucket, `${Key}/`)) await abort(store, { Bucket, ...upload })
    },
  }
}

type Upload = Required<Pick<AbortMultipartUploadCommandInput, 'Key' | 'UploadId'>>

async function abort({ client }: Store, upload: Upload & { Bucket: string }): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload))
  } catch (error) {
    if (!isOver(error)) throw error
  }
}

async function listUploads({ client }: Store, Bucket: string, Prefix: string): Promise<Upload[]> {
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

async function listAll({ client, at }: Store, path: string, sending: string): Promise<PartFacts[]> {
  const parts: PartFacts[] = []
  let marker: string | undefined
  do {
    const command = new ListPartsCommand({ ...at(path), UploadId: sending, PartNumberMarker: marker })
    const page = await client.send(command).catch((error: unknown) => {
      if (isOver(error)) return null
      throw error
    })
    if (page === null) return []
    for (const { PartNumber = 0, Size = 0, ETag } of page.Parts ?? [])
      parts.push({ number: PartNumber, size: Size, etag: plainTag(ETag) })
    marker = page.IsTruncated ? page.NextPartNumberMarker : undefined
  } while (marker !== undefined)
  return parts
}

async function signPart(
  { signer, clock, at }: Store,
  path: string,
  sending: string,
  number: number,
  { expires_s, size = null }: PutTerms,
): Promise<SignedAddress> {
  const now = clock.now()
  const sized = size === null ? {} : { ContentLength: size }
  const command = new UploadPartCommand({ ...at(path), UploadId: sending, PartNumber: number, ...sized })
  const url = await getSignedUrl(signer, command, {
    expiresIn: expires_s,
    signingDate: now,
    ...(size === null ? {} : { signableHeaders: new Set(['content-length']) }),
  })
  return { url, expires_at: new Date(now.getTime() + expires_s * 1000) }
}
