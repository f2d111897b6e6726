import { open } from 'node:fs/promises'
import { RasterFailure } from '../../failures.ts'

interface LineString {
  readonly type: 'LineString'
  readonly coordinates: readonly (readonly [longitude: number, latitude: number])[]
}

/** A GeoJSON file (RFC 7946) that is written feature by feature. */
export interface FeatureFile {
  add(geometry: LineString, properties: Readonly<Record<string, number>>): void
  /** Writes what was added; what is not written yet is in memory. */
  flush(): Promise<void>
}

/** Decimal places of a degree: about a millimetre. */
const DECIMALS = 1e8

/**
 * Writes a feature collection with what the work adds, one feature a line. Returns the number of features.
 *
 * @throws RasterFailure `write`, and what the work throws.
 */
export async function writeFeatureFile(path: string, work: (file: FeatureFile) => Promise<void>): Promise<number> {
  const handle = await open(path, 'w').catch(asWriteFailure)
  let features = 0
  let lines: string[] = ['{"type":"FeatureCollection","features":[']
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    await handle.writeFile(text).catch(asWriteFailure)
  }
  try {
    await work({
      add: ({ type, coordinates }, properties) => {
        const rounded = coordinates.map((position) => position.map((value) => Math.round(value * DECIMALS) / DECIMALS))
        const feature = { type: 'Feature', properties, geometry: { type, coordinates: rounded } }
        lines.push(features++ === 0 ? '\n' : ',\n', JSON.stringify(feature))
      },
      flush,
    })
    lines.push('\n]}\n')
    await flush()
  } finally {
    await handle.close()
  }
  return features
}

function asWriteFailure(cause: unknown): never {
  throw new RasterFailure('write', 'the file of features could not be written', { cause })
}
