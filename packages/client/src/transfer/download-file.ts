import type { DownloadTarget, OpenDownload } from './download-target.ts'
import { ChecksumError, RemoteChangedError } from './errors.ts'
import { readInOrder, type ReadRange } from './ordered-ranges.ts'
import { planRanges } from './ranges.ts'
import { createRemoteReader, type OpenRange, type RemoteFile, type RemoteReader } from './remote-reader.ts'
import { retry, type Wait } from './retry.ts'
import { createSha256, type Sha256 } from './sha256.ts'

export interface DownloadProgress {
  /** Those that an earlier, interrupted download has left are included. */
  readonly done_bytes: number
  readonly total_bytes: number
}

export interface DownloadOptions {
  /** Ranges that are requested at once; default 4. */
  readonly parallel?: number
  /** Length of a range; default 4 MiB. `parallel` of them are in memory at most. */
  readonly range_bytes?: number
  readonly onProgress?: (progress: DownloadProgress) => void
  readonly signal?: AbortSignal
  /** A response that sends nothing for this time is given up, and the rest requested again; default a minute. */
  readonly idle_timeout_ms?: number
  readonly fetch?: typeof fetch
  readonly wait?: Wait
}

/** A verified file. */
export interface Download {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

const default_parallel = 4
const default_range_bytes = 4 * 2 ** 20
const default_idle_timeout_ms = 60_000
/** A file that changes, or whose kept bytes are wrong, is downloaded from its start this many times. */
const max_attempts = 3

/**
 * Downloads a file in parallel ranges, each of which goes on where its connection broke, and verifies its size and checksum. What
 * an earlier, interrupted download has left in the target is kept if it belongs to the same version of the file.
 *
 * Throws `ChecksumError` for wrong bytes, `ApiProblem` if the server refuses the file, and the reason of the signal.
 */
export async function downloadFile(
  remote: RemoteFile,
  target: DownloadTarget,
  options: DownloadOptions = {},
): Promise<Download> {
  for (let attempts = 1; ; attempts++) {
    const sink = await target.open(remote)
    try {
      return await downloadInto(sink, remote, options)
    } catch (error) {
      if (!isOfNoUse(error)) {
        await sink.close(error)
        throw error
      }
      await sink.discard(error)
      // Wrong bytes after a fresh start are not our own: nobody can do better.
      if (attempts === max_attempts || (error instanceof ChecksumError && sink.kept_bytes === 0)) throw error
    }
  }
}

/** True if the bytes that were written do not belong to the file. */
const isOfNoUse = (error: unknown): boolean => error instanceof ChecksumError || error instanceof RemoteChangedError

async function downloadInto(sink: OpenDownload, remote: RemoteFile, options: DownloadOptions): Promise<Download> {
  const { fetch: send = fetch, idle_timeout_ms = default_idle_timeout_ms, onProgress } = options
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])])
  const hash = await hashKept(sink, signal)
  let done_bytes = sink.kept_bytes
  try {
    const reader = createRemoteReader(remote, { fetch: send, signal, etag: sink.etag, idle_timeout_ms })
    const { total_bytes, pieces } = await openPieces(reader, sink, { ...options, signal })
    onProgress?.({ done_bytes, total_bytes })
    for await (const piece of pieces) {
      await sink.write(piece)
      hash.update(piece)
      done_bytes += piece.length
      onProgress?.({ done_bytes, total_bytes })
    }
    const sha256 = verify(remote, { bytes: done_bytes, expected_bytes: total_bytes, sha256: hash.digest() })
    await sink.commit()
    return { bytes: done_bytes, sha256 }
  } finally {
    // The ranges that nobody waits for any more.
    stop.abort()
  }
}

async function hashKept(sink: OpenDownload, signal: AbortSignal): Promise<Sha256> {
  const hash = createSha256()
  if (sink.kept_bytes === 0) return hash
  for await (const piece of sink.readKept()) {
    signal.throwIfAborted()
    hash.update(piece)
  }
  return hash
}

type OpenOptions = DownloadOptions & { readonly signal: AbortSignal }

/** Requests the first range, which tells the size and the version of the file, and then the others. */
async function openPieces(reader: RemoteReader, sink: OpenDownload, options: OpenOptions) {
  const { parallel = default_parallel, range_bytes = default_range_bytes } = options
  const { kept_bytes } = sink
  const firstRange = { start: kept_bytes, end: kept_bytes + range_bytes }
  let first: OpenRange | null = await retry(() => reader.open(firstRange), options)
  const { size_bytes: total_bytes, etag, acceptsRanges } = first.version
  if (kept_bytes > total_bytes) throw new RemoteChangedError()
  await sink.begin(etag)
  const read: ReadRange = async (range, push) => {
    let at = range.start
    await retry(async (onProgress) => {
      const opened = first ?? (await reader.open({ start: at, end: range.end }))
      first = null
      for await (const piece of opened.body) {
        push(piece)
        at += piece.length
        onProgress()
      }
      if (at < range.end) throw new TypeError('the connection ended before the range')
    }, options)
  }
  const ranges = planRanges(kept_bytes, total_bytes, acceptsRanges ? range_bytes : Number.MAX_SAFE_INTEGER)
  return { total_bytes, pieces: readInOrder(ranges, parallel, read) }
}

interface Received {
  readonly bytes: number
  readonly expected_bytes: number
  readonly sha256: string
}

/** Returns the checksum. Throws `ChecksumError` if size or checksum are not those of the file. */
function verify(remote: RemoteFile, { bytes, expected_bytes, sha256 }: Received): string {
  for (const expected of [expected_bytes, remote.size_bytes ?? expected_bytes])
    if (bytes !== expected) throw new ChecksumError(`${expected} bytes`, `${bytes} bytes`)
  if (remote.sha256 !== null && remote.sha256 !== sha256)
    throw new ChecksumError(`SHA-256 ${remote.sha256}`, `SHA-256 ${sha256}`)
  return sha256
}
