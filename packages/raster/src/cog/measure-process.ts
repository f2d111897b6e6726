import type { Raster } from '../types.ts'
import { createExportInput, isExportProcess, type ExportProcess } from './exports/export-process.ts'
import { checkVectorProcess, isVectorProcess, type VectorProcess } from './features/vector-process.ts'
import { createProcessInput, estimateProcessImageMemory, type RasterProcess } from './process.ts'

/** The size of the result of a process. */
export interface ProcessResultSize {
  /** Width times height times bands; of features those of the band that they are made of. */
  readonly samples: number
  readonly memory_bytes: number
}

/** Of features that are not written yet: their positions are bounded. */
const feature_bytes = 200 * 1024 * 1024

/**
 * Measures the result of a process by the headers of its rasters. Features and other formats need as much memory as a
 * copy of their image. Throws the errors that the process throws before it reads a pixel.
 */
export async function estimateProcessResultSize(
  rasters: readonly Raster[],
  process: RasterProcess | VectorProcess | ExportProcess,
): Promise<ProcessResultSize> {
  if (isVectorProcess(process)) checkVectorProcess(rasters, process)
  const made = isVectorProcess(process) || isExportProcess(process) ? ({ name: 'copy' } as const) : process
  const input = isExportProcess(process) ? createExportInput(rasters, process) : await createProcessInput(rasters, made)
  const bands = isVectorProcess(process) ? 1 : input.bands.length
  const memory_bytes = estimateProcessImageMemory(rasters, made, input) + (isVectorProcess(process) ? feature_bytes : 0)
  return { samples: input.width * input.height * bands, memory_bytes }
}
