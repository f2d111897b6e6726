import { encodePixelBlockAsImage } from '@swath/raster'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { HostQuicklook } from '../../../platform/integrations/imagery-host.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { withTimeout } from '../../tiles/within-time.ts'

type HostImage = Pick<HostQuicklook, 'bytes' | 'media_type'>

/** The encoding takes some ten milliseconds for so many, in which nothing else is done. */
const max_pixels = 2_000_000

type Format = 'png' | 'jpeg'

/**
 * An image in the requested format; for null in the one that the call prefers, if it can be converted, else in that of the host.
 * Throws `unsupported-raster` and `budget-exceeded` for a requested one.
 */
export async function convertImage(call: Call, image: HostImage, format: Format | null): Promise<HostImage> {
  const wanted = format ?? call.preferredImageFormat ?? null
  if (wanted === null || image.media_type === `image/${wanted}`) return image
  try {
    return await encodeImage(call, image, wanted)
  } catch (error) {
    const isUnreadable = error instanceof Problem && unreadable.has(error.problem)
    if (format === null && isUnreadable) return image
    throw error
  }
}

const unreadable: ReadonlySet<string> = new Set<ProblemName>(['unsupported-raster', 'budget-exceeded'])

async function encodeImage(call: Call, image: HostImage, format: Format): Promise<HostImage> {
  const jobs = getCallerRasterJobRunner(call)
  const limit = { workName: 'decoding of the image', timeout_ms: rasterReadLimits.tile.ms, signal: call.signal }
  const request = { bytes: image.bytes, max_pixels }
  const block = await withTimeout(jobs, limit, (signal) => jobs.run('decodeImage', [], request, { signal }))
  return { bytes: encodePixelBlockAsImage(block, null, format, 85), media_type: `image/${format}` }
}
