import type { Raster } from '@swath/raster'
import type { BandFacts } from '../items/raster-facts.ts'
import { develop } from './darkroom.ts'
import { readLook } from './look.ts'
import { settleLook } from './paint.ts'
import { withinTime } from './within-time.ts'

const limit_bytes = 256 * 1024 * 1024
const limit_ms = 30_000
const quality = 85

export interface ThumbnailSpec {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  /** The picture keeps its proportions and fits into this; it is never larger than the raster. */
  readonly width: number
  readonly height: number
  readonly signal: AbortSignal
}

/**
 * The whole raster in its own grid as JPEG, drawn as a tile without parameters is; white where there is no data. Throws
 * `budget-exceeded` beyond 256 MiB of pixels at once or thirty seconds.
 */
export async function drawThumbnail({ raster, bands, width, height, signal }: ThumbnailSpec): Promise<Uint8Array> {
  const look = readLook({}, bands)
  const share = Math.min(1, width / raster.width, height / raster.height)
  const size = (pixels: number): number => Math.max(1, Math.round(pixels * share))
  return withinTime('thumbnail', limit_ms, signal, async (limited) => {
    const terms = { look: await settleLook(raster, bands, look, limited), format: 'jpeg', quality } as const
    const picture = { width: size(raster.width), height: size(raster.height), bands: look.bands }
    return develop('previewPicture', [raster], { ...picture, ...terms, budget_bytes: limit_bytes }, limited)
  })
}
