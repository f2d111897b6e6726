import type { Dirent } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomText } from '../ids.ts'
import type { Clock } from '../clock.ts'
import type { CurrentAndAcceptedKeys } from '../crypto/signatures.ts'
import { signBlobUrl, type SignedUrlParameters } from './signed-urls.ts'
import {
  assertBlobPath,
  assertMediaType,
  BlobNotFound,
  BlobSizeMismatch,
  BlobTooLarge,
  type BlobMetadata,
  type BlobStore,
  type BlobPrefixQuota,
  type SignedUrl,
} from './blobs.ts'
import { createDiskMultipartUploads, type StoreObjectFile } from './disk-multipart-uploads.ts'
import { createBlobFolderProbe } from './disk-probe.ts'
import { createBlobPrefixQuotas, type BlobPrefixQuotas } from './prefix-quota.ts'
import { readObjectMetadata, appendObjectTrailer, fsyncFolder } from './object-file.ts'

export interface DiskBlobStoreOptions {
  /** The root folder: `objects/` holds stored objects, `drafts/` files that are being written. */
  readonly folder: string
  readonly clock: Clock
  readonly keys: CurrentAndAcceptedKeys
}

/** A disk store also receives uploaded bytes, from the HTTP route for signed URLs. */
export interface DiskBlobStore extends BlobStore {
  readonly kind: 'disk'
  /**
   * Stores a stream. Nothing is stored if it exceeds its limit or the quota of its prefix (`BlobTooLarge`) or differs from
   * the signed size (`BlobSizeMismatch`).
   */
  receive(path: string, chunks: AsyncIterable<Uint8Array>, options: ReceiveUploadOptions): Promise<BlobMetadata>
}

export interface ReceiveUploadOptions {
  readonly media_type: string
  readonly max_bytes: number
  readonly size?: number | null
  readonly within?: BlobPrefixQuota | null
}

/** Blob paths never contain this character, so an object and a folder never have the same name. */
const objectSuffix = '~'
const chunk_bytes = 256 * 1024

const hasErrorCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** A draft of this age belongs to no running process. */
const draft_max_age_ms = 24 * 3600 * 1000

const objectPathIn =
  (root: string) =>
  (path: string): string => {
    assertBlobPath(path)
    return join(root, `${path}${objectSuffix}`)
  }

/** Opens the blob store in a folder and creates the folder if necessary. Removes the drafts of dead processes. */
export async function openDiskBlobStore({ folder, clock, keys }: DiskBlobStoreOptions): Promise<DiskBlobStore> {
  const [objects, drafts] = [join(folder, 'objects'), join(folder, 'drafts')]
  for (const path of [objects, drafts]) await mkdir(path, { recursive: true, mode: 0o700 })
  await removeAbandonedDrafts(drafts, clock)
  const quotas = createBlobPrefixQuotas((prefix) => listObjects(objects, prefix), clock)
  const { store, ...writer } = createWriter(objects, drafts, quotas)
  const signer = createSigner(clock, keys)
  const reader = createReader(objects, createBlobFolderProbe(objects, drafts))
  const parts = createDiskMultipartUploads({ ...writer, ...reader, ...signer, storeObject: store, writeDraft })
  return { kind: 'disk', ...writer, ...reader, ...signer, ...parts }
}

async function removeAbandonedDrafts(drafts: string, clock: Clock): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const { mtimeMs } = await stat(path)
    if (clock.now().getTime() - mtimeMs > draft_max_age_ms) await rm(path, { force: true })
  }
}

function createWriter(
  objects: string,
  drafts: string,
  quotas: BlobPrefixQuotas,
): Pick<DiskBlobStore, 'putFile' | 'putBytes' | 'receive' | 'delete'> & { store: StoreObjectFile } {
  const objectPath = objectPathIn(objects)
  const store: StoreObjectFile = async (path, mediaType, fill) => {
    assertMediaType(mediaType)
    const target = objectPath(path)
    const draft = join(drafts, randomText(22))
    try {
      await fill(draft)
      const metadata = await appendObjectTrailer(draft, mediaType)
      await renameInto(draft, target, objects)
      quotas.recordSize(path, metadata.size)
      return metadata
    } finally {
      await rm(draft, { force: true })
    }
  }
  return {
    store,
    putFile: (path, localPath, mediaType) => store(path, mediaType, (draft) => moveFile(localPath, draft)),
    putBytes: (path, bytes, mediaType) =>
      store(path, mediaType, (draft) => writeDraft(draft, [bytes], Number.POSITIVE_INFINITY)),
    receive: (path, chunks, { media_type, max_bytes, size = null, within: quota = null }) =>
      quotas.reserve(path, quota, (count) =>
        store(path, media_type, (draft) => writeDraft(draft, countBytes(chunks, size, count), size ?? max_bytes)),
      ),
    async delete(path) {
      await rm(objectPath(path), { force: true })
      quotas.recordSize(path, null)
    },
  }
}

/** Passes the chunks on and reports the length of each to `count`; throws at the end if the total differs from `size`. */
async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  size: number | null,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let received = 0
  for await (const chunk of chunks) {
    received += chunk.byteLength
    count(chunk.byteLength)
    yield chunk
  }
  if (size !== null && received !== size) throw new BlobSizeMismatch(size, received)
}

function createReader(
  objects: string,
  ping: () => Promise<void>,
): Pick<DiskBlobStore, 'localPath' | 'ping' | 'head' | 'read' | 'stream' | 'list'> {
  const objectPath = objectPathIn(objects)
  return {
    localPath: objectPath,
    ping,
    async head(path) {
      return withObject(objectPath(path), async (_, metadata) => metadata)
    },
    async read(path, offset, length, signal) {
      signal?.throwIfAborted()
      const bytes = await withObject(objectPath(path), (file, metadata) =>
        readRange(file, metadata.size, offset, length),
      )
      if (bytes === null) throw new BlobNotFound(path)
      return bytes
    },
    async stream(path, range) {
      return streamObject(objectPath(path), path, range)
    },
    list: (prefix) => listObjects(objects, prefix),
  }
}

function createSigner(clock: Clock, keys: CurrentAndAcceptedKeys): Pick<DiskBlobStore, 'signGet' | 'signPut'> {
  const sign = async (
    base: string,
    expires_s: number,
    parameters: Omit<SignedUrlParameters, 'expires_at'>,
  ): Promise<SignedUrl> => {
    const expires_at = new Date(clock.now().getTime() + expires_s * 1000)
    return { url: signBlobUrl(keys, base, { ...parameters, expires_at }), expires_at }
  }
  return {
    signGet: (path, { expires_s, file_name, media_type, base, ticket }) =>
      sign(base, expires_s, { method: 'GET', path, file_name, media_type, ticket }),
    signPut: (path, { expires_s, media_type, base, size, within: quota }) =>
      sign(base, expires_s, { method: 'PUT', path, file_name: '', media_type, size, within: quota }),
  }
}

/** A rename cannot move a file to another file system. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasErrorCode(error, 'EXDEV')) throw error
    await copyFile(from, to)
    await rm(from)
  }
}

async function renameInto(draft: string, target: string, root: string): Promise<void> {
  const folder = dirname(target)
  const createdFolder = await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(draft, target)
  await fsyncFolder(folder)
  if (createdFolder === undefined) return
  // A new folder is an entry of its parent, which must be synced to disk as well.
  for (let parent = folder; parent !== root; parent = dirname(parent)) await fsyncFolder(dirname(parent))
}

async function writeDraft(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  max_bytes: number,
): Promise<void> {
  const file = await open(path, 'wx')
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > max_bytes) throw new BlobTooLarge(max_bytes)
      await file.appendFile(chunk)
    }
  } finally {
    await file.close()
  }
}

/** Null if there is no object; closes the file afterwards. */
async function withObject<T>(
  objectPath: string,
  work: (file: FileHandle, metadata: BlobMetadata) => Promise<T>,
): Promise<T | null> {
  const opened = await openObject(objectPath)
  if (!opened) return null
  try {
    return await work(opened.file, opened.facts)
  } finally {
    await opened.file.close()
  }
}

async function openObject(objectPath: string): Promise<{ file: FileHandle; facts: BlobMetadata } | null> {
  let file: FileHandle
  try {
    file = await open(objectPath, 'r')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
  let metadata: BlobMetadata | null = null
  try {
    metadata = await readObjectMetadata(file)
  } finally {
    if (!metadata) await file.close()
  }
  return metadata && { file, facts: metadata }
}

async function readRange(file: FileHandle, size: number, offset: number, length: number): Promise<Uint8Array> {
  const expectedLength = Math.max(0, Math.min(length, size - offset))
  const bytes = new Uint8Array(expectedLength)
  let readLength = 0
  while (readLength < expectedLength) {
    const { bytesRead } = await file.read(bytes, readLength, expectedLength - readLength, offset + readLength)
    if (bytesRead === 0) break
    readLength += bytesRead
  }
  return readLength === expectedLength ? bytes : bytes.subarray(0, readLength)
}

/** The stream keeps the file open, so an object that is replaced or deleted meanwhile is still sent completely. */
async function streamObject(
  objectPath: string,
  path: string,
  range?: { start: number; end: number },
): Promise<ReadableStream<Uint8Array>> {
  const opened = await openObject(objectPath)
  if (!opened) throw new BlobNotFound(path)
  const { file, facts: metadata } = opened
  let position = range?.start ?? 0
  const end = Math.min(range?.end ?? metadata.size - 1, metadata.size - 1)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await readRange(file, end + 1, position, chunk_bytes)
        position += chunk.length
        if (chunk.length > 0) controller.enqueue(chunk)
        if (position <= end && chunk.length > 0) return
        await file.close()
        controller.close()
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 1 },
  )
}

async function* listObjects(root: string, prefix: string): AsyncGenerator<{ path: string; size: number }> {
  const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
  if (folder !== '') assertBlobPath(folder)
  yield* walk(root, folder, prefix)
}

/** Sorts folders with their slash, so that the listing is ordered by path as in S3. */
const sortName = (entry: Dirent): string =>
  entry.isDirectory() ? `${entry.name}/` : entry.name.slice(0, -objectSuffix.length)

async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<{ path: string; size: number }> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  })
  for (const entry of entries.toSorted((left, right) => (sortName(left) < sortName(right) ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory() && (`${path}/`.startsWith(prefix) || prefix.startsWith(`${path}/`))) {
      yield* walk(root, path, prefix)
    }
    if (!entry.isFile() || !entry.name.endsWith(objectSuffix)) continue
    const name = path.slice(0, -objectSuffix.length)
    const metadata = name.startsWith(prefix) ? await withObject(join(root, path), async (_, opened) => opened) : null
    if (metadata) yield { path: name, size: metadata.size }
  }
}
