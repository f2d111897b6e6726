import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { drawPreview } from '../draw/preview.ts'
import type { PreviewRequest } from '../draw/preview.ts'
import { drawTile } from '../draw/tile.ts'
import type { Measures } from '../measure/measures.ts'
import { rasterStatistics } from '../measure/raster-statistics.ts'
import type { StatisticsRequest } from '../measure/raster-statistics.ts'
import { readPoint } from '../measure/point.ts'
import type { PlaceRequest, PlaceValues } from '../measure/read-places.ts'
import { zonalStatistics } from '../measure/zonal-statistics.ts'
import type { ZonalRequest } from '../measure/zonal-statistics.ts'
import { renderCollage } from '../paint/collage.ts'
import type { CollageRequest } from '../paint/collage.ts'
import { renderPreview, renderTile } from '../paint/pack.ts'
import type { PreviewPictureRequest, TilePictureRequest } from '../paint/pack.ts'
import type { PixelBlock, Raster, TileRequest } from '../types.ts'
import type { CogResult } from '../write/cog-types.ts'
import { copyToCog } from '../write/convert.ts'
import type { CopyOptions } from '../write/convert.ts'
import type { BandChoice } from '../write/sources/copy.ts'

/** Work on rasters that a worker can do: name, request, answer. Requests and answers are plain data. */
export interface Jobs {
  /** Nothing: a thread that answers is ready. */
  readonly nothing: Job<object, null>
  /** Pixels of a tile, and of the whole. */
  readonly tile: Job<TileRequest, PixelBlock>
  readonly preview: Job<PreviewRequest, PixelBlock>
  /** The same as encoded pictures. */
  readonly tilePicture: Job<TilePictureRequest, Uint8Array>
  readonly previewPicture: Job<PreviewPictureRequest, Uint8Array>
  /** Rasters over each other, each painted in its own way. */
  readonly collagePicture: Job<CollageRequest, Uint8Array>
  /** Exact numbers of a whole raster or a window, and of an area on the earth. */
  readonly statistics: Job<StatisticsRequest, Measures>
  readonly zonal: Job<ZonalAreaRequest, Measures>
  /** The values at a place on the earth. */
  readonly point: Job<PointRequest, PlaceValues>
  /** Files that share a grid as one cloud optimized GeoTIFF. */
  readonly copyToCog: Job<CopyRequest, CogResult>
}

export interface ZonalAreaRequest extends ZonalRequest {
  readonly area: AreaGeometry
}

export interface PointRequest extends PlaceRequest {
  readonly longitude: number
  readonly latitude: number
}

export interface CopyRequest extends CopyOptions {
  /** Of the file that is written. */
  readonly path: string
  readonly bands: readonly BandChoice[] | null
}

export type Job<Request, Value> = (rasters: readonly Raster[], request: Request) => Promise<Value>
export type JobName = keyof Jobs
export type RequestOf<Name extends JobName> = Omit<Parameters<Jobs[Name]>[1], 'signal'>
export type ValueOf<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>

export const jobs: Jobs = {
  nothing: async () => null,
  tile: ([raster], request) => drawTile(raster!, request),
  preview: ([raster], request) => drawPreview(raster!, request),
  tilePicture: renderTile,
  previewPicture: ([raster], request) => renderPreview(raster!, request),
  collagePicture: renderCollage,
  statistics: ([raster], request) => rasterStatistics(raster!, request),
  zonal: ([raster], { area, ...request }) => zonalStatistics(raster!, area, request),
  point: ([raster], { longitude, latitude, ...request }) => readPoint(raster!, longitude, latitude, request),
  copyToCog: (rasters, { path, bands, ...options }) => copyToCog(rasters, bands, path, options),
}
