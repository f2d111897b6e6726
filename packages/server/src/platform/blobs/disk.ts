import type { Dirent } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomText } from '../ids.ts'
import type { Clock } from '../clock.ts'
import { signAddress, type AddressKeys, type AddressTerms } from './addresses.ts'
import {
  assertBlobPath,
  assertMediaType,
  BlobMissing,
  BlobSizeDiffers,
  BlobTooLarge,
  type BlobFacts,
  type Blobs,
  type FolderRoom,
  type SignedAddress,
} from './blobs.ts'
import { sendingInParts, type StoreDraft } from './disk-parts.ts'
import { diskProbe } from './disk-probe.ts'
import { openFolderRooms, type FolderRooms } from './folder-rooms.ts'
import { factsOf, labelFile, syncFolder } from './object-file.ts'

export interface DiskOptions {
  /** The root folder: `objects/` holds stored objects, `drafts/` files that are being written. */
  readonly folder: string
  readonly clock: Clock
  readonly keys: AddressKeys
}

/** A disk store also receives uploaded bytes, from the HTTP route for signed URLs. */
export interface DiskBlobs extends Blobs {
  readonly kind: 'disk'
  /**
   * Stores a stream. Nothing is stored if it exceeds its limit or the quota of its prefix (`BlobTooLarge`) or differs from
   * the signed size (`BlobSizeMismatch`).
   */
  receive(path: string, chunks: AsyncIterable<Uint8Array>, options: ReceiveTerms): Promise<BlobFacts>
}

export interface ReceiveTerms {
  readonly media_type: string
  readonly limit_bytes: number
  readonly size?: number | null
  readonly within?: FolderRoom | null
}

/** Blob paths never contain this character, so an object and a folder never have the same name. */
const objectEnding = '~'
const chunk_bytes = 256 * 1024

const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** A draft of this age belongs to no running process. */
const abandoned_ms = 24 * 3600 * 1000

const placeIn =
  (root: string) =>
  (path: string): string => {
    assertBlobPath(path)
    return join(root, `${path}${objectEnding}`)
  }

/** Opens the blob store in a folder and creates the folder if necessary. Removes the drafts of dead processes. */
export async function openDiskBlobs({ folder, clock, keys }: DiskOptions): Promise<DiskBlobs> {
  const [objects, drafts] = [join(folder, 'objects'), join(folder, 'drafts')]
  for (const path of [objects, drafts]) await mkdir(path, { recursive: true, mode: 0o700 })
  await removeAbandoned(drafts, clock)
  const rooms = openFolderRooms((prefix) => listObjects(objects, prefix), clock)
  const { store, ...written } = writing(objects, drafts, rooms)
  const signed = signing(clock, keys)
  const read = reading(objects, diskProbe(objects, drafts))
  const parts = sendingInParts({ ...written, ...read, ...signed, store, writeDraft })
  return { kind: 'disk', ...written, ...read, ...signed, ...parts }
}

async function removeAbandoned(drafts: string, clock: Clock): Promise<void> {
  for (const name of await readdir(drafts)) {
    const path = join(drafts, name)
    const { mtimeMs } = await stat(path)
    if (clock.now().getTime() - mtimeMs > abandoned_ms) await rm(path, { force: true })
  }
}

function writing(
  objects: string,
  drafts: string,
  rooms: FolderRooms,
): Pick<DiskBlobs, 'putFile' | 'putBytes' | 'receive' | 'delete'> & { store: StoreDraft } {
  const place = placeIn(objects)
  const store: StoreDraft = async (path, mediaType, fill) => {
    assertMediaType(mediaType)
    const target = place(path)
    const draft = join(drafts, randomText(22))
    try {
      await fill(draft)
      const facts = await labelFile(draft, mediaType)
      await renameInto(draft, target, objects)
      rooms.changed(path, facts.size)
      return facts
    } finally {
      await rm(draft, { force: true })
    }
  }
  return {
    store,
    putFile: (path, localPath, mediaType) => store(path, mediaType, (draft) => moveFile(localPath, draft)),
    putBytes: (path, bytes, mediaType) =>
      store(path, mediaType, (draft) => writeDraft(draft, [bytes], Number.POSITIVE_INFINITY)),
    receive: (path, chunks, { media_type, limit_bytes, size = null, within = null }) =>
      rooms.use(path, within, (count) =>
        store(path, media_type, (draft) => writeDraft(draft, counted(chunks, size, count), size ?? limit_bytes)),
      ),
    async delete(path) {
      await rm(place(path), { force: true })
      rooms.changed(path, null)
    },
  }
}

/** Passes the chunks on and reports the length of each to `count`; throws at the end if the total differs from `size`. */
async function* counted(
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
  if (size !== null && received !== size) throw new BlobSizeDiffers(size, received)
}

function reading(
  objects: string,
  ping: () => Promise<void>,
): Pick<DiskBlobs, 'localPath' | 'ping' | 'head' | 'read' | 'stream' | 'list'> {
  const place = placeIn(objects)
  return {
    localPath: place,
    ping,
    async head(path) {
      return withObject(place(path), async (_, facts) => facts)
    },
    async read(path, offset, length, signal) {
      signal?.throwIfAborted()
      const bytes = await withObject(place(path), (file, facts) => readRange(file, facts.size, offset, length))
      if (bytes === null) throw new BlobMissing(path)
      return bytes
    },
    async stream(path, range) {
      return streamObject(place(path), path, range)
    },
    list: (prefix) => listObjects(objects, prefix),
  }
}

function signing(clock: Clock, keys: AddressKeys): Pick<DiskBlobs, 'signGet' | 'signPut'> {
  const sign = async (
    base: string,
    expires_s: number,
    terms: Omit<AddressTerms, 'expires_at'>,
  ): Promise<SignedAddress> => {
    const expires_at = new Date(clock.now().getTime() + expires_s * 1000)
    return { url: signAddress(keys, base, { ...terms, expires_at }), expires_at }
  }
  return {
    signGet: (path, { expires_s, file_name, media_type, base, ticket }) =>
      sign(base, expires_s, { method: 'GET', path, file_name, media_type, ticket }),
    signPut: (path, { expires_s, media_type, base, size, within }) =>
      sign(base, expires_s, { method: 'PUT', path, file_name: '', media_type, size, within }),
  }
}

/** A rename cannot move a file to another file system. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!isCode(error, 'EXDEV')) throw error
    await copyFile(from, to)
    await rm(from)
  }
}

async function renameInto(draft: string, target: string, root: string): Promise<void> {
  const folder = dirname(target)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(draft, target)
  await syncFolder(folder)
  if (made === undefined) return
  // A new folder is an entry of its parent, which must be synced to disk as well.
  for (let parent = folder; parent !== root; parent = dirname(parent)) await syncFolder(dirname(parent))
}

async function writeDraft(
  path: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit_bytes: number,
): Promise<void> {
  const file = await open(path, 'wx')
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > limit_bytes) throw new BlobTooLarge(limit_bytes)
      await file.appendFile(chunk)
    }
  } finally {
    await file.close()
  }
}

/** Null if there is no object; closes the file afterwards. */
async function withObject<T>(
  place: string,
  work: (file: FileHandle, facts: BlobFacts) => Promise<T>,
): Promise<T | null> {
  const found = await openObject(place)
  if (!found) return null
  try {
    return await work(found.file, found.facts)
  } finally {
    await found.file.close()
  }
}

async function openObject(place: string): Promise<{ file: FileHandle; facts: BlobFacts } | null> {
  let file: FileHandle
  try {
    file = await open(place, 'r')
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
  let facts: BlobFacts | null = null
  try {
    facts = await factsOf(file)
  } finally {
    if (!facts) await file.close()
  }
  return facts && { file, facts }
}

async function readRange(file: FileHandle, size: number, offset: number, length: number): Promise<Uint8Array> {
  const wanted = Math.max(0, Math.min(length, size - offset))
  const bytes = new Uint8Array(wanted)
  let filled = 0
  while (filled < wanted) {
    const { bytesRead } = await file.read(bytes, filled, wanted - filled, offset + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled === wanted ? bytes : bytes.subarray(0, filled)
}

/** The stream keeps the file open, so an object that is replaced or deleted meanwhile is still sent completely. */
async function streamObject(
  place: string,
  path: string,
  range?: { start: number; end: number },
): Promise<ReadableStream<Uint8Array>> {
  const found = await openObject(place)
  if (!found) throw new BlobMissing(path)
  const { file, facts } = found
  let at = range?.start ?? 0
  const end = Math.min(range?.end ?? facts.size - 1, facts.size - 1)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await readRange(file, end + 1, at, chunk_bytes)
        at += chunk.length
        if (chunk.length > 0) controller.enqueue(chunk)
        if (at <= end && chunk.length > 0) return
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
  entry.isDirectory() ? `${entry.name}/` : entry.name.slice(0, -objectEnding.length)

async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<{ path: string; size: number }> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  })
  for (const entry of entries.toSorted((left, right) => (sortName(left) < sortName(right) ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory() && (`${path}/`.startsWith(prefix) || prefix.startsWith(`${path}/`))) {
      yield* walk(root, path, prefix)
    }
    if (!entry.isFile() || !entry.name.endsWith(objectEnding)) continue
    const name = path.slice(0, -objectEnding.length)
    const facts = name.startsWith(prefix) ? await withObject(join(root, path), async (_, found) => found) : null
    if (facts) yield { path: name, size: facts.size }
  }
}
