import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { BlobFacts } from './blobs.ts'

/**
 * The file format of one object: its bytes, then a JSON trailer of fixed length with its metadata. Both are in one file,
 * so that one rename publishes both, and a file with a damaged trailer is not an object.
 */
const label_bytes = 256
const mark = 'swath-object-1 '

function writeLabel(facts: BlobFacts): Buffer {
  const text = `${mark}${JSON.stringify(facts)}`
  if (Buffer.byteLength(text) >= label_bytes) throw new RangeError('the media type is too long')
  return Buffer.concat([
    Buffer.from(text),
    Buffer.alloc(label_bytes - 1 - Buffer.byteLength(text), ' '),
    Buffer.from('\n'),
  ])
}

/** Null if the file has no valid trailer. */
function readLabel(label: Buffer, fileSize: number): BlobFacts | null {
  const text = label.toString('utf8')
  if (!text.startsWith(mark)) return null
  try {
    const facts = JSON.parse(text.slice(mark.length)) as BlobFacts
    return facts.size === fileSize - label_bytes ? facts : null
  } catch {
    return null
  }
}

/** The metadata of an open object file; null if it is not one. */
export async function factsOf(file: FileHandle): Promise<BlobFacts | null> {
  const { size } = await file.stat()
  if (size < label_bytes) return null
  const label = Buffer.alloc(label_bytes)
  const { bytesRead } = await file.read(label, 0, label_bytes, size - label_bytes)
  return bytesRead === label_bytes ? readLabel(label, size) : null
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
export async function labelFile(path: string, mediaType: string): Promise<BlobFacts> {
  const file = await open(path, 'r+')
  try {
    const hash = createHash('sha256')
    const size = await hashFile(file, hash)
    const facts: BlobFacts = { size, media_type: mediaType, etag: hash.digest('hex') }
    await file.write(writeLabel(facts), 0, label_bytes, size)
    await file.sync()
    return facts
  } finally {
    await file.close()
  }
}

/** Makes a rename in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
