import { estimateProcessImageMemory, roundUpToNiceNumber, type Raster, type RasterProcess } from '@swath/raster'
import type { RasterJobResult } from '@swath/raster'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { max_samples_within_time_limit } from '../leases/time-limit.ts'
import type { PlannedAsset, ProcessDefinition } from '../process-definition.ts'

/** A job that needs more memory would take it from the requests that the server answers. */
export const max_job_memory_bytes = 768 * 1024 * 1024

/** Maximum number of samples of all files that a job writes: more do not fit into the longest time limit. */
export const max_job_output_samples = max_samples_within_time_limit

/** The input that determines the size of the results, where one does, and advice to make them smaller. */
const sizeInputs: Readonly<Record<string, { readonly path: string; readonly advice: string }>> = {
  mosaic: { path: 'items', advice: 'name items that lie closer together, or clip them first' },
  composite: { path: 'items', advice: 'name items that lie closer together, or clip them first' },
  clip: { path: 'geometry', advice: 'give a smaller area' },
}

/**
 * Throws `validation` of the input that makes the results of a job too large, or `budget-exceeded` where none does but the source.
 */
export function requireOutputWithinLimits(
  { id }: Pick<ProcessDefinition, 'id'>,
  { samples, memory_bytes }: { readonly samples: number; readonly memory_bytes: number },
): void {
  const size =
    samples > max_job_output_samples
      ? `${samples} samples, and may write ${max_job_output_samples}`
      : memory_bytes > max_job_memory_bytes
        ? `${memory_bytes} bytes of memory, and may use ${max_job_memory_bytes}`
        : null
  if (size === null) return
  const input = sizeInputs[id]
  const verb = samples > max_job_output_samples ? 'write' : 'need'
  if (input) throw validationProblem([{ path: input.path, message: `makes the job ${verb} ${size}: ${input.advice}` }])
  throw new Problem('budget-exceeded', `The job would ${verb} ${size}. Clip the image to a smaller area first.`)
}

/**
 * Throws `validation` of `resolution` for pixels so small that a job could not write the image, with a size that it can. Done
 * before a grid of so many pixels is made.
 */
export async function requireModerateResolution(
  opened: readonly Raster[],
  process: PlannedAsset['process'],
  suggestGrid: (epsg: number | null) => Promise<RasterJobResult<'suggestGrid'>>,
): Promise<void> {
  const [raster] = opened
  if (process.name !== 'reproject' || process.resolution === undefined || !raster) return
  // The extent is that of the grid that would be chosen without a resolution, as the image has it.
  const { width, height, affine } = await suggestGrid(process.epsg)
  const [across, down] = [width * affine[1], height * -affine[5]]
  const least = Math.max(
    Math.sqrt((across * down * raster.bands.length) / max_job_output_samples),
    across / maxColumns(opened, process),
  )
  if (!(process.resolution < least)) return
  const message = `gives more pixels than a job may write; ${roundUpToNiceNumber(least)} gives few enough`
  throw validationProblem([{ path: 'resolution', message }])
}

/** The width of the images of a process for which the memory of a job suffices; Infinity if no image is narrow enough. */
function maxColumns(opened: readonly Raster[], process: RasterProcess): number {
  const { bands, sampleType } = opened[0]!
  const memoryOf = (width: number): number =>
    estimateProcessImageMemory(opened, process, { width, height: 1, bands, sampleType })
  const columns = (max_job_memory_bytes - memoryOf(0)) / (memoryOf(1) - memoryOf(0))
  return columns > 0 ? columns : Infinity
}
