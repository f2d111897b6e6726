import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createHttpSource, openRaster, openRasterFile, RasterFailure, type HttpFetch, type Raster } from '@swath/raster'
import { hashFileSha256 } from '../../../platform/crypto/hash-file.ts'
import { newId } from '../../../platform/ids.ts'
import type { HostFile } from '../../../platform/integrations/imagery-host.ts'
import { SafeFetchFailure, type SafeFetch } from '../../../platform/integrations/integrations.ts'

/** The options for reading a file of a delivery. */
export interface HostFileReadOptions {
  /** `whole`: every pixel is delivered; the file is downloaded and checked. `part`: it is read in place if its host permits. */
  readonly extent: 'whole' | 'part'
  /** The folder for files that are downloaded. */
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * Opens a file that a host delivers. A file of which only a part is delivered is read by ranges where it is, unless its
 * server sends no ranges; every other one is downloaded, and its size and checksum are checked. The caller closes it.
 */
export async function openHostFile(file: HostFile, { extent, folder, signal }: HostFileReadOptions): Promise<Raster> {
  const inPlace = extent === 'part' ? await openInPlace(file, signal) : null
  return inPlace ?? openRasterFile(await downloadHostFile(file, folder, signal), { signal })
}

const request_timeout_ms = 60_000
const max_attempts = 3

/** Null if the file cannot be read in place. */
async function openInPlace({ location, file_name, size }: HostFile, signal: AbortSignal): Promise<Raster | null> {
  if (!location) return null
  try {
    const raster = await openRaster(createHttpSource(location.url, retryRanges(location.fetch)), { signal })
    if (size !== null && raster.source.size !== undefined && raster.source.size !== size)
      throw new Error(`"${file_name}" has ${raster.source.size} bytes instead of ${size}`)
    return raster
  } catch (error) {
    signal.throwIfAborted()
    if (sendsNoRanges(error)) return null
    throw error
  }
}

const sendsNoRanges = (error: unknown): boolean =>
  error instanceof RasterFailure && error.cause instanceof SafeFetchFailure && error.cause.kind === 'range'

/** Range requests that are repeated if the connection fails. */
const retryRanges =
  (fetchRange: SafeFetch): HttpFetch =>
  async (url, { headers, limit_bytes, signal }) => {
    const options = { headers, limit_bytes, timeout_ms: request_timeout_ms, ...(signal ? { signal } : {}) }
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await fetchRange(url, options)
        return { status: response.status, headers: new Headers(response.headers), body: response.body }
      } catch (error) {
        signal?.throwIfAborted()
        const kind = error instanceof SafeFetchFailure ? error.kind : null
        if ((kind !== 'connection' && kind !== 'timeout') || attempt === max_attempts) throw error
      }
    }
  }

/** Downloads a file and verifies the size and checksum that its host announced. Returns its path. */
export async function downloadHostFile(file: HostFile, folder: string, signal: AbortSignal): Promise<string> {
  const path = join(folder, `${newId()}.tif`)
  await file.download(path, signal)
  const { size } = await stat(path)
  if (file.size !== null && size !== file.size)
    throw new Error(`"${file.file_name}" has ${size} bytes instead of ${file.size}`)
  if (file.sha256 !== null && (await hashFileSha256(path)) !== file.sha256)
    throw new Error(`"${file.file_name}" does not have the checksum its host gave`)
  return path
}
