import { drawPreview, encodeImage, type Raster } from '@swath/raster'
import type { BandFacts } from '../items/raster-facts.ts'
import { withProblems } from './failures.ts'
import { readLook } from './look.ts'
import { paintBlock, preparePaint, whiten } from './paint.ts'

const limit_bytes = 256 * 1024 * 1024
const quality = 85

export interface ThumbnailSpec {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  /** The picture keeps its proportions and fits into this; it is never larger than the raster. */
  readonly width: number
  readonly height: number
}

/** The whole raster in its own grid as JPEG, drawn as a tile without parameters is; white where there is no data. */
export async function drawThumbnail({ raster, bands, width, height }: ThumbnailSpec): Promise<Uint8Array> {
  return withProblems(async () => {
    const look = readLook({}, bands)
    const share = Math.min(1, width / raster.width, height / raster.height)
    const block = await drawPreview(raster, {
      width: Math.max(1, Math.round(raster.width * share)),
      height: Math.max(1, Math.round(raster.height * share)),
      bands: look.bands,
      budget_bytes: limit_bytes,
    })
    return encodeImage(whiten(paintBlock(block, await preparePaint(raster, bands, look))), null, 'jpeg', quality)
  })
}
