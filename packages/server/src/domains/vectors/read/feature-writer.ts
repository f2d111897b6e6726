import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { VectorFailure } from '../vector-failure.ts'
import type { VectorLimits } from '../vector-file.ts'

/** A writer of a GeoJSON file, one feature per line. */
export interface FeatureWriter {
  add(feature: object): void
  /** Completes the file; returns its size and SHA-256. */
  end(): { readonly size: number; readonly checksum_sha256: string }
  close(): void
}

const flush_length = 1024 * 1024

/** The beginning of the file, followed by one feature per line, joined by `,\n`. */
export const geojsonHeader = '{"type":"FeatureCollection","features":[\n'
export const geojsonFooter = '\n]}\n'

/** Writes synchronously: for use in a worker thread. */
export function createFeatureWriter(path: string, limits: VectorLimits): FeatureWriter {
  const file = openSync(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  let pendingText = geojsonHeader
  let separator = ''
  const flush = (): void => {
    const bytes = Buffer.from(pendingText)
    pendingText = ''
    size += bytes.length
    if (size > limits.bytes) {
      throw new VectorFailure(
        'too_large',
        `The features have more than ${limits.bytes} bytes as GeoJSON. Split the file.`,
      )
    }
    hash.update(bytes)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  }
  return {
    add(feature) {
      pendingText += separator + JSON.stringify(feature)
      separator = ',\n'
      if (pendingText.length >= flush_length) flush()
    },
    end() {
      pendingText += geojsonFooter
      flush()
      return { size, checksum_sha256: hash.digest('hex') }
    },
    close: () => closeSync(file),
  }
}
