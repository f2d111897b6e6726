import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import { validateContourRequest, writeContours, type ContourOptions } from './contours.ts'
import { writeFeatureFile, type FeatureFile, type FeatureWriteOptions } from './feature-file.ts'
import { validatePolygonizeRequest, writePolygonizedRaster, type PolygonizeOptions } from './polygons.ts'

/** A process that computes features from a raster: its name and its options, as plain data. */
export type VectorProcess =
  | ({ readonly name: 'contours' } & ContourOptions)
  | ({ readonly name: 'vectorize' } & PolygonizeOptions)

type ProcessOf<Name extends VectorProcess['name']> = Extract<VectorProcess, { readonly name: Name }>

interface FeatureWriter<Process> {
  /** Reads headers only, and throws what `write` throws for them. */
  readonly check: (raster: Raster, process: Process) => void
  readonly write: (raster: Raster, file: FeatureFile, process: Process, watch: FeatureWriteOptions) => Promise<void>
}

const writers: { readonly [Name in VectorProcess['name']]: FeatureWriter<ProcessOf<Name>> } = {
  contours: { check: validateContourRequest, write: writeContours },
  vectorize: { check: validatePolygonizeRequest, write: writePolygonizedRaster },
}

const writerOf = ({ name }: VectorProcess): FeatureWriter<VectorProcess> =>
  writers[name] as FeatureWriter<VectorProcess>

/** True for a process that makes features, by its name. */
export const isVectorProcess = (process: { readonly name: string }): process is VectorProcess => process.name in writers

export interface VectorProcessRequest {
  /** Of the GeoJSON file that is written. */
  readonly path: string
  readonly process: VectorProcess
  /** Shared with the caller: its first element is set to the finished part, in thousandths. */
  readonly progress?: Int32Array<SharedArrayBuffer>
  readonly signal?: AbortSignal
}

/** Reads headers only: throws the errors that the process throws before it reads a pixel. */
export function checkVectorProcess(rasters: readonly Raster[], process: VectorProcess): void {
  writerOf(process).check(single(rasters), process)
}

function single(rasters: readonly Raster[]): Raster {
  if (rasters.length !== 1) throw new RasterFailure('request', `one raster is needed, not ${rasters.length}`)
  return rasters[0]!
}

/** Runs a process on a raster and writes its features as GeoJSON in degrees. Returns their number. */
export function runVectorProcess(
  rasters: readonly Raster[],
  { path, process, progress, signal }: VectorProcessRequest,
): Promise<number> {
  const report = (part: number): void => void (progress && Atomics.store(progress, 0, part))
  return writeFeatureFile(path, (file) =>
    writerOf(process).write(single(rasters), file, process, { signal, progress: report }),
  )
}
