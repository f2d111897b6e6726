import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl'
import { ArchiveFailure, type ArchiveFailureKind } from './archive-failure.ts'
import { isArchiveName, isLeftover, nameKey, safeName } from './entry-name.ts'

/** The limits for an archive. Bytes are counted after unpacking. */
export interface ArchiveLimits {
  /** Files and folders. */
  readonly entries: number
  readonly entry_bytes: number
  readonly total_bytes: number
  /** Unpacked bytes per packed byte; files below a mebibyte may exceed it. */
  readonly ratio: number
}

/** One file of an archive. */
export interface ArchiveEntry {
  /** A relative path with slashes, without `..`. */
  readonly name: string
  /** Bytes after unpacking; the stream fails if the data has more or fewer. */
  readonly size: number
  /** A new stream of the unpacked bytes for each call; valid while the archive is open. */
  open(): Readable
}

export interface Archive {
  /** The files in directory order, without folders and the metadata files of operating systems. */
  readonly entries: readonly ArchiveEntry[]
  close(): void
}

/** Deflate compresses at most 1:1032, so a file of a single repeated value passes. */
export const archive_limits: ArchiveLimits = {
  entries: 10_000,
  entry_bytes: 8 * 2 ** 30,
  total_bytes: 32 * 2 ** 30,
  ratio: 1100,
}

const small_bytes = 1024 * 1024
const directory_bit = 0o040000
const regular_bit = 0o100000

/**
 * Opens a ZIP and validates its whole central directory: names, sizes, links, encryption, and that no two entries overlap.
 * Only the directory is held in memory. Throws `ZipFailure`; damaged entries fail in their own streams.
 */
export async function openArchive(path: string, limits: ArchiveLimits = archive_limits): Promise<Archive> {
  const zip = await openZip(path)
  try {
    const entries = await judgeEntries(zip, limits)
    return { entries, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** The files of a ZIP one after another (see `openArchive`); each can be opened until the loop advances or ends. */
export async function* readArchive(
  path: string,
  limits: ArchiveLimits = archive_limits,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const archive = await openArchive(path, limits)
  try {
    yield* archive.entries
  } finally {
    archive.close()
  }
}

/** Reads a whole entry into memory; the caller checks its `size` first. */
export async function entryBytes(entry: ArchiveEntry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of entry.open()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function openZip(path: string): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true, decodeStrings: false }
  const zip = await openPromise(path, options).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) throw error
    throw failed(
      'not_archive',
      'The file is not a ZIP archive, or it is truncated. Upload the complete file again.',
      error,
    )
  })
  // An error of the closing file has no other listener.
  return zip.on('error', () => {})
}

async function judgeEntries(zip: ZipFile, limits: ArchiveLimits): Promise<ArchiveEntry[]> {
  if (zip.entryCount > limits.entries) {
    throw failed(
      'too_large',
      `The archive contains ${zip.entryCount} files and folders; at most ${limits.entries} are allowed.`,
    )
  }
  // Before the first entry is read, the cursor is at the central directory, where the file data ends.
  const directory = Number(zip.readEntryCursor)
  const spans: Span[] = [{ start: directory, end: directory + 1, name: 'the directory' }]
  const names = new Set<string>()
  const files: ArchiveEntry[] = []
  let total = 0
  for await (const entry of entriesOf(zip)) {
    const { name, isFolder } = judgeName(entry, names)
    judgeKind(entry, name)
    total += judgeSize(entry, name, limits)
    if (total > limits.total_bytes) {
      throw failed(
        'too_large',
        `Unpacked, the archive has more than ${limits.total_bytes} bytes. Split it into several archives.`,
      )
    }
    spans.push(await spanOf(zip, entry, name))
    if (isFolder || isLeftover(name)) continue
    if (isArchiveName(name)) {
      throw failed('unsafe', `"${name}" is an archive inside the archive. Upload its files directly.`)
    }
    const open = (): Readable => Readable.from(unpack(zip, entry, name), { objectMode: false })
    files.push({ name, size: entry.uncompressedSize, open })
  }
  judgeSpans(spans)
  return files
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* { [Symbol.asyncIterator]: () => zip.eachEntry() }
  } catch (error) {
    throw failed('damaged', 'The directory of the archive is damaged.', error)
  }
}

function judgeName(entry: Entry, names: Set<string>): { name: string; isFolder: boolean } {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
  const written = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
  const name = safeName(written)
  const key = nameKey(name)
  if (names.has(key)) throw failed('unsafe', `"${name}" is in the archive twice. Create the archive again.`)
  names.add(key)
  return { name, isFolder: written.endsWith('/') }
}

function judgeKind(entry: Entry, name: string): void {
  if (entry.isEncrypted())
    throw failed('unsupported', `"${name}" is encrypted. Create the archive again without a password.`)
  if (!entry.canDecodeFileData()) {
    throw failed(
      'unsupported',
      `"${name}" uses compression method ${entry.compressionMethod}. Create the archive again with Deflate.`,
    )
  }
  // The upper half is the Unix file mode; 0 where another system wrote the archive.
  const kind = (entry.externalFileAttributes >>> 16) & 0o170000
  if (kind !== 0 && kind !== regular_bit && kind !== directory_bit) {
    throw failed('unsafe', `"${name}" is a link or a device, not a file. Include the file itself.`)
  }
}

function judgeSize({ uncompressedSize, compressedSize }: Entry, name: string, limits: ArchiveLimits): number {
  if (!(uncompressedSize <= limits.entry_bytes)) {
    throw failed('too_large', `"${name}" has more than ${limits.entry_bytes} bytes.`)
  }
  if (uncompressedSize > small_bytes && uncompressedSize > compressedSize * limits.ratio) {
    throw failed(
      'too_large',
      `"${name}" has a compression ratio above 1:${limits.ratio}, which data files do not reach.`,
    )
  }
  return uncompressedSize
}

interface Span {
  readonly start: number
  readonly end: number
  readonly name: string
}

async function spanOf(zip: ZipFile, entry: Entry, name: string): Promise<Span> {
  const header = await zip.readLocalFileHeaderPromise(entry, { minimal: true }).catch((error: unknown) => {
    throw failed('damaged', `The archive has no data for "${name}". Upload the complete file again.`, error)
  })
  const start = entry.relativeOffsetOfLocalHeader
  return { start, end: header.fileDataStart + entry.compressedSize, name }
}

/** Overlapping entries let a small archive unpack to an unlimited size (zip bomb). */
function judgeSpans(spans: Span[]): void {
  spans.sort((a, b) => a.start - b.start)
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1]
    if (next && next.start < span.end) {
      throw failed('damaged', `In the archive, "${span.name}" and "${next.name}" overlap.`)
    }
  }
}

/** yauzl verifies the number of bytes, not the checksum. */
async function* unpack(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  let sum = 0
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk as Buffer, sum)
      yield chunk as Buffer
    }
  } catch (error) {
    throw failed('damaged', `"${name}" cannot be unpacked: it is damaged or declares the wrong size.`, error)
  }
  if (sum !== entry.crc32) throw failed('damaged', `"${name}" is damaged: its checksum does not match.`)
}

const failed = (kind: ArchiveFailureKind, message: string, cause?: unknown): ArchiveFailure =>
  new ArchiveFailure(kind, message, { cause })
