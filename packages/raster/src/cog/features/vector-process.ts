import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import { checkContours, writeContours, type ContourOptions } from './contours.ts'
import { writeFeatureFile } from './feature-file.ts'

/** What makes features of a raster: a name and its options, as plain data. */
export type VectorProcess = { readonly name: 'contours' } & ContourOptions

export interface VectorProcessRequest {
  /** Of the GeoJSON file that is written. */
  readonly path: string
  readonly process: VectorProcess
  /** Shared with the caller: its first element is set to the finished part, in thousandths. */
  readonly progress?: Int32Array<SharedArrayBuffer>
  readonly signal?: AbortSignal
}

/** Reads headers only: refuses what the process refuses before any pixel is read. */
export function checkVectorProcess(rasters: readonly Raster[], process: VectorProcess): void {
  checkContours(single(rasters), process)
}

function single(rasters: readonly Raster[]): Raster {
  if (rasters.length !== 1) throw new RasterFailure('request', `one raster is needed, not ${rasters.length}`)
  return rasters[0]!
}

/** Runs a process on a raster and writes its features as GeoJSON in degrees. Returns their number. */
export function processToFeatures(
  rasters: readonly Raster[],
  { path, process, progress, signal }: VectorProcessRequest,
): Promise<number> {
  const report = (part: number): void => void (progress && Atomics.store(progress, 0, part))
  return writeFeatureFile(path, (file) => writeContours(single(rasters), file, process, { signal, progress: report }))
}
