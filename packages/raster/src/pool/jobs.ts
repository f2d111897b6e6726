import { drawPreview } from '../draw/preview.ts'
import type { PreviewRequest } from '../draw/preview.ts'
import { drawTile } from '../draw/tile.ts'
import type { PixelBlock, Raster, TileRequest } from '../types.ts'

/** Work on rasters that a worker can do: name, request, answer. Requests and answers are plain data. */
export interface Jobs {
  readonly tile: Job<TileRequest, PixelBlock>
  readonly preview: Job<PreviewRequest, PixelBlock>
}

export type Job<Request, Value> = (rasters: readonly Raster[], request: Request) => Promise<Value>
export type JobName = keyof Jobs
export type RequestOf<Name extends JobName> = Omit<Parameters<Jobs[Name]>[1], 'signal'>
export type ValueOf<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>

export const jobs: Jobs = {
  tile: ([raster], request) => drawTile(raster!, request),
  preview: ([raster], request) => drawPreview(raster!, request),
}
