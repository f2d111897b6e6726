import { open } from 'node:fs/promises'
import { RasterFailure } from '../../failures.ts'

type LonLat = readonly [longitude: number, latitude: number]
type Ring = readonly LonLat[]

export type FeatureGeometry =
  | { readonly type: 'LineString'; readonly coordinates: readonly LonLat[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }

/** A GeoJSON file (RFC 7946) that is written feature by feature. */
export interface FeatureFile {
  add(geometry: FeatureGeometry, properties: Readonly<Record<string, number>>): void
  /** Writes the added features, which are in memory until then. */
  flush(): Promise<void>
}

/** A signal that cancels the work, and a callback that gets the completed part, in thousandths. */
export interface FeatureWriteOptions {
  readonly signal: AbortSignal | undefined
  readonly progress: (part: number) => void
}

/** Decimal places of a degree: about a millimetre. */
const coordinate_scale = 1e8

/**
 * Writes a feature collection of the features that `work` adds, one on each line. Returns the number of features.
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
        const feature = { type: 'Feature', properties, geometry: { type, coordinates: coordinates.map(roundAll) } }
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

type Nested = number | readonly Nested[]

/** Coordinates with as many decimal places as are written. */
const roundAll = (value: Nested): Nested =>
  typeof value === 'number' ? Math.round(value * coordinate_scale) / coordinate_scale : value.map(roundAll)

function asWriteFailure(cause: unknown): never {
  throw new RasterFailure('write', 'the file of features could not be written', { cause })
}
