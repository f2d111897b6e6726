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

const batch_letters = 1024 * 1024

/** The beginning of the file, followed by one feature per line, joined by `,\n`. */
export const featuresHead = '{"type":"FeatureCollection","features":[\n'
export const featuresFoot = '\n]}\n'

/** Writes synchronously: for use in a worker thread. */
export function writeFeatures(path: string, limits: VectorLimits): FeatureWriter {
  const file = openSync(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  let held = featuresHead
  let separator = ''
  const flush = (): void => {
    const bytes = Buffer.from(held)
    held = ''
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
      held += separator + JSON.stringify(feature)
      separator = ',\n'
      if (held.length >= batch_letters) flush()
    },
    end() {
      held += featuresFoot
      flush()
      return { size, checksum_sha256: hash.digest('hex') }
    },
    close: () => closeSync(file),
  }
}
