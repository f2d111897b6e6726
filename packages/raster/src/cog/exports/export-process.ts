import { RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { createCopyInput } from '../sources/copy.ts'
import { checkPngExport, writePng } from './png-file.ts'
import type { PngOptions } from './png-rows.ts'
import { writeZarr } from './zarr-store.ts'

/** A process that writes a raster in another format: its name and its options, as plain data. */
export type ExportProcess = ({ readonly name: 'png' } & PngOptions) | { readonly name: 'zarr' }

export interface ExportRequest {
  /** Of the file that is written; of the folder of a Zarr store, which does not exist yet. */
  readonly path: string
  readonly process: ExportProcess
  /** Width times height times bands that the image may have at most, such as those that were paid for. */
  readonly max_samples?: number
  /** Shared with the caller: its first element is set to the finished part, in thousandths. */
  readonly progress?: Int32Array<SharedArrayBuffer>
  readonly signal?: AbortSignal
}

/** True for a process that writes another format, by its name. */
export const isExportProcess = (process: { readonly name: string }): process is ExportProcess =>
  process.name === 'png' || process.name === 'zarr'

/**
 * The image that is written. Reads headers only.
 *
 * @throws RasterFailure `request` for bands that are not there, or samples that the format does not hold.
 */
export function createExportInput(rasters: readonly Raster[], process: ExportProcess, signal?: AbortSignal): CogInput {
  const [raster, ...others] = rasters
  if (!raster || others.length > 0) throw new RasterFailure('request', `one raster is needed, not ${rasters.length}`)
  if (process.name === 'zarr') return createCopyInput(rasters, null, signal)
  checkPngExport(raster, process)
  const bands = raster.alphaBand === null ? process.bands : [...process.bands, raster.alphaBand]
  const plan = bands.map((band) => ({ raster: 0, band }))
  return createCopyInput(rasters, plan, signal)
}

/** Writes a raster in another format. */
export async function exportRaster(
  rasters: readonly Raster[],
  { path, process, max_samples = Infinity, progress, signal }: ExportRequest,
): Promise<null> {
  const input = createExportInput(rasters, process, signal)
  const samples = input.width * input.height * input.bands.length
  if (samples > max_samples)
    throw new RasterFailure('budget', `the image has ${samples} samples, and may have ${max_samples}`)
  const report = (row: number): void =>
    void (progress && Atomics.store(progress, 0, Math.floor((1000 * row) / input.height)))
  if (process.name === 'png') await writePng(input, path, process, { signal, report })
  else await writeZarr(input, path, { signal, report })
  return null
}
