import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { BlobMetadata } from './blobs.ts'

/**
 * The file format of one object: its bytes, then a JSON trailer of fixed length with its metadata. Both are in one file,
 * so that one rename publishes both, and a file with a damaged trailer is not an object.
 */
const trailer_bytes = 256
const trailerMark = 'swath-object-1 '

function encodeTrailer(metadata: BlobMetadata): Buffer {
  const text = `${trailerMark}${JSON.stringify(metadata)}`
  if (Buffer.byteLength(text) >= trailer_bytes) throw new RangeError('the media type is too long')
  return Buffer.concat([
    Buffer.from(text),
    Buffer.alloc(trailer_bytes - 1 - Buffer.byteLength(text), ' '),
    Buffer.from('\n'),
  ])
}

/** Null if the file has no valid trailer. */
function decodeTrailer(trailer: Buffer, fileSize: number): BlobMetadata | null {
  const text = trailer.toString('utf8')
  if (!text.startsWith(trailerMark)) return null
  try {
    const metadata = JSON.parse(text.slice(trailerMark.length)) as BlobMetadata
    return metadata.size === fileSize - trailer_bytes ? metadata : null
  } catch {
    return null
  }
}

/** The metadata of an open object file; null if it is not one. */
export async function readObjectMetadata(file: FileHandle): Promise<BlobMetadata | null> {
  const { size } = await file.stat()
  if (size < trailer_bytes) return null
  const trailer = Buffer.alloc(trailer_bytes)
  const { bytesRead } = await file.read(trailer, 0, trailer_bytes, size - trailer_bytes)
  return bytesRead === trailer_bytes ? decodeTrailer(trailer, size) : null
}

async function hashFile(file: FileHandle, hash: Hash): Promise<number> {
  const chunk = Buffer.alloc(1024 * 1024)
  let size = 0
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, size)
    if (bytesRead === 0) return size
    hash.update(chunk.subarray(0, bytesRead))
    size += bytesRead
  }
}

/** Turns a finished file into an object file: appends the trailer and syncs everything to disk. */
export async function appendObjectTrailer(path: string, mediaType: string): Promise<BlobMetadata> {
  const file = await open(path, 'r+')
  try {
    const hash = createHash('sha256')
    const size = await hashFile(file, hash)
    const metadata: BlobMetadata = { size, media_type: mediaType, etag: hash.digest('hex') }
    await file.write(encodeTrailer(metadata), 0, trailer_bytes, size)
    await file.sync()
    return metadata
  } finally {
    await file.close()
  }
}

/** Makes a rename in a folder durable. */
export async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
