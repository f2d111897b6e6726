import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl'
import { ZipFailure, type ZipFailureKind } from './zip-failure.ts'
import { isArchiveFileName, isOsMetadataFile, toFileNameCollisionKey, sanitizeZipEntryName } from './entry-name.ts'

/** The limits for an archive. Bytes are counted after unpacking. */
export interface ZipLimits {
  /** Files and folders. */
  readonly max_entries: number
  readonly max_entry_bytes: number
  readonly max_total_bytes: number
  /** Unpacked bytes per packed byte; files below a mebibyte may exceed it. */
  readonly max_compression_ratio: number
}

/** One file of an archive. */
export interface ZipFileEntry {
  /** A relative path with slashes, without `..`. */
  readonly name: string
  /** Bytes after unpacking; the stream fails if the data has more or fewer. */
  readonly size: number
  /** A new stream of the unpacked bytes for each call; valid while the archive is open. */
  open(): Readable
}

export interface ZipArchive {
  /** The files in directory order, without folders and the metadata files of operating systems. */
  readonly entries: readonly ZipFileEntry[]
  close(): void
}

/** Deflate compresses at most 1:1032, so a file of a single repeated value passes. */
export const default_zip_limits: ZipLimits = {
  max_entries: 10_000,
  max_entry_bytes: 8 * 2 ** 30,
  max_total_bytes: 32 * 2 ** 30,
  max_compression_ratio: 1100,
}

const min_checked_bytes = 1024 * 1024
const unix_directory_type = 0o040000
const unix_regular_type = 0o100000

/**
 * Opens a ZIP and validates its whole central directory: names, sizes, links, encryption, and that no two entries overlap.
 * Only the directory is held in memory. Throws `ZipFailure`; damaged entries fail in their own streams.
 */
export async function openZipArchive(path: string, limits: ZipLimits = default_zip_limits): Promise<ZipArchive> {
  const zip = await openZipFile(path)
  try {
    const entries = await checkEntries(zip, limits)
    return { entries, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** The files of a ZIP one after another (see `openArchive`); each can be opened until the loop advances or ends. */
export async function* readZipEntries(
  path: string,
  limits: ZipLimits = default_zip_limits,
): AsyncGenerator<ZipFileEntry, void, undefined> {
  const archive = await openZipArchive(path, limits)
  try {
    yield* archive.entries
  } finally {
    archive.close()
  }
}

/** Reads a whole entry into memory; the caller checks its `size` first. */
export async function readArchiveEntry(entry: ZipFileEntry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of entry.open()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function openZipFile(path: string): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false }
  const zip = await openPromise(path, options).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) throw error
    throw createFailure(
      'not_archive',
      'The file is not a ZIP archive, or it is truncated. Upload the complete file again.',
      error,
    )
  })
  // An error of the closing file has no other listener.
  return zip.on('error', () => {})
}

async function checkEntries(zip: ZipFile, limits: ZipLimits): Promise<ZipFileEntry[]> {
  if (zip.entryCount > limits.max_entries) {
    throw createFailure(
      'too_large',
      `The archive contains ${zip.entryCount} files and folders; at most ${limits.max_entries} are allowed.`,
    )
  }
  // Before the first entry is read, the cursor is at the central directory, where the file data ends.
  const directoryOffset = Number(zip.readEntryCursor)
  const spans: ByteSpan[] = [{ start: directoryOffset, end: directoryOffset + 1, name: 'the directory' }]
  const names = new Set<string>()
  const files: ZipFileEntry[] = []
  let total = 0
  for await (const entry of readDirectory(zip)) {
    const { name, isFolder } = checkName(entry, names)
    checkFileType(entry, name)
    total += checkSize(entry, name, limits)
    if (total > limits.max_total_bytes) {
      throw createFailure(
        'too_large',
        `Unpacked, the archive has more than ${limits.max_total_bytes} bytes. Split it into several archives.`,
      )
    }
    spans.push(await readSpan(zip, entry, name))
    if (isFolder || isOsMetadataFile(name)) continue
    if (isArchiveFileName(name)) {
      throw createFailure('unsafe', `"${name}" is an archive inside the archive. Upload its files directly.`)
    }
    const open = (): Readable => Readable.from(unpackEntry(zip, entry, name), { objectMode: false })
    files.push({ name, size: entry.uncompressedSize, open })
  }
  checkOverlaps(spans)
  return files
}

async function* readDirectory(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* { [Symbol.asyncIterator]: () => zip.eachEntry() }
  } catch (error) {
    throw createFailure('damaged', 'The directory of the archive is damaged.', error)
  }
}

function checkName(entry: Entry, names: Set<string>): { name: string; isFolder: boolean } {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
  const rawName = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  const name = sanitizeZipEntryName(rawName)
  const key = toFileNameCollisionKey(name)
  if (names.has(key)) throw createFailure('unsafe', `"${name}" is in the archive twice. Create the archive again.`)
  names.add(key)
  return { name, isFolder: rawName.endsWith('/') }
}

function checkFileType(entry: Entry, name: string): void {
  if (entry.isEncrypted())
    throw createFailure('unsupported', `"${name}" is encrypted. Create the archive again without a password.`)
  if (!entry.canDecodeFileData()) {
    throw createFailure(
      'unsupported',
      `"${name}" uses compression method ${entry.compressionMethod}. Create the archive again with Deflate.`,
    )
  }
  // The upper half is the Unix file mode; 0 where another system wrote the archive.
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000
  if (kind !== 0 && kind !== unix_regular_type && kind !== unix_directory_type) {
    throw createFailure('unsafe', `"${name}" is a link or a device, not a file. Include the file itself.`)
  }
}

function checkSize({ uncompressedSize, compressedSize }: Entry, name: string, limits: ZipLimits): number {
  if (!(uncompressedSize <= limits.max_entry_bytes)) {
    throw createFailure('too_large', `"${name}" has more than ${limits.max_entry_bytes} bytes.`)
  }
  if (uncompressedSize > min_checked_bytes && uncompressedSize > compressedSize * limits.max_compression_ratio) {
    throw createFailure(
      'too_large',
      `"${name}" has a compression ratio above 1:${limits.max_compression_ratio}, which data files do not reach.`,
    )
  }
  return uncompressedSize
}

interface ByteSpan {
  readonly start: number
  readonly end: number
  readonly name: string
}

async function readSpan(zip: ZipFile, entry: Entry, name: string): Promise<ByteSpan> {
  const header = await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch((error: unknown) => {
    throw createFailure('damaged', `The archive has no data for "${name}". Upload the complete file again.`, error)
  })
  const start = entry.relativeOffsetOfLocalHeader
  return { start, end: header.fileDataStart + entry.compressedSize, name }
}

/** Overlapping entries let a small archive unpack to an unlimited size (zip bomb). */
function checkOverlaps(spans: ByteSpan[]): void {
  spans.sort((a, b) => a.start - b.start)
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1]
    if (next && next.start < span.end) {
      throw createFailure('damaged', `In the archive, "${span.name}" and "${next.name}" overlap.`)
    }
  }
}

/** yauzl verifies the number of bytes, not the checksum. */
async function* unpackEntry(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  let runningCrc = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      runningCrc = crc32(chunk as Buffer, runningCrc)
      yield chunk as Buffer
    }
  } catch (error) {
    throw createFailure('damaged', `"${name}" cannot be unpacked: it is damaged or declares the wrong size.`, error)
  }
  if (runningCrc !== entry.crc32) throw createFailure('damaged', `"${name}" is damaged: its checksum does not match.`)
}

const createFailure = (kind: ZipFailureKind, message: string, cause?: unknown): ZipFailure =>
  new ZipFailure(kind, message, { cause })
