import { newId } from '../ids.ts'
import {
  assertBlobPath,
  InvalidUploadParts,
  type BlobMetadata,
  type BlobStore,
  type MultipartUploads,
  type UploadedPart,
} from './blobs.ts'

/** Stores an object at a path from the file that `fill` writes. */
export type StoreObjectFile = (
  path: string,
  mediaType: string,
  fill: (draft: string) => Promise<void>,
) => Promise<BlobMetadata>

/** The methods of the disk store that multipart uploads need. */
export interface MultipartStore extends Pick<BlobStore, 'list' | 'head' | 'stream' | 'delete' | 'signPut'> {
  readonly storeObject: StoreObjectFile
  writeDraft(path: string, chunks: AsyncIterable<Uint8Array>, limit_bytes: number): Promise<void>
}

const digits = 5
const partPathPattern = /\.parts\/[0-9a-f-]{36}\/\d{5}$/

/** Parts are stored as objects beside the object; completing the upload streams them one after another into one file. */
export function createDiskMultipartUploads(store: MultipartStore): MultipartUploads {
  const listUploadedParts = async (path: string, uploadId: string): Promise<UploadedPart[]> => {
    const parts: UploadedPart[] = []
    for await (const { path: part, size } of store.list(partsFolder(path, uploadId))) {
      const metadata = await store.head(part)
      if (metadata) parts.push({ number: Number(part.slice(-digits)), size, etag: metadata.etag })
    }
    return parts
  }
  const abortMultipartUpload = async (path: string, uploadId: string): Promise<void> => {
    for await (const { path: part } of store.list(partsFolder(path, uploadId))) await store.delete(part)
  }
  const abortAllMultipartUploads = async (folder: string): Promise<void> => {
    for await (const { path } of store.list(`${folder}/`)) if (partPathPattern.test(path)) await store.delete(path)
  }
  return {
    listParts: listUploadedParts,
    abortMultipartUpload,
    abortAllMultipartUploads,
    createMultipartUpload: async (path) => {
      assertBlobPath(path)
      return newId()
    },
    signUploadPart: (path, uploadId, number, options) => store.signPut(partPath(path, uploadId, number), options),
    async completeMultipartUpload(path, uploadId, parts, mediaType) {
      const uploadedParts = new Map((await listUploadedParts(path, uploadId)).map((part) => [part.number, part]))
      for (const { number, etag } of parts)
        if (uploadedParts.get(number)?.etag !== etag)
          throw new InvalidUploadParts(`part ${number} does not match the uploaded part`)
      const chunks = readParts(store, path, uploadId, parts)
      const metadata = await store.storeObject(path, mediaType, (draft) => store.writeDraft(draft, chunks, Infinity))
      await abortMultipartUpload(path, uploadId)
      return metadata
    },
  }
}

const partsFolder = (path: string, uploadId: string): string => `${path}.parts/${uploadId}/`

const partPath = (path: string, uploadId: string, number: number): string =>
  `${partsFolder(path, uploadId)}${String(number).padStart(digits, '0')}`

async function* readParts(
  store: MultipartStore,
  path: string,
  uploadId: string,
  parts: readonly UploadedPart[],
): AsyncGenerator<Uint8Array> {
  for (const { number } of parts) yield* await store.stream(partPath(path, uploadId, number))
}
