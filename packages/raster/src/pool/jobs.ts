import { findValuesInOverviews, requireSourceValues, type SourceValuesRequest } from '../cog/require-values.ts'
import { suggestWarpGrid } from '../cog/sources/suggest-warp-grid.ts'
import { createCrsFromEpsg } from '../formats/crs/from-code.ts'
import type { TargetGrid } from '../render/warp/warp-grid.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { intersectPolygons } from '@swath/geo/polygon-clip.ts'
import { readPreview } from '../render/warp/preview.ts'
import type { PreviewRequest } from '../render/warp/preview.ts'
import { readTile } from '../render/warp/tile.ts'
import type { RasterStatistics } from '../compute/statistics/measures.ts'
import { computeRasterStatistics } from '../compute/statistics/raster-statistics.ts'
import type { StatisticsRequest } from '../compute/statistics/raster-statistics.ts'
import { readPoints } from '../compute/statistics/point.ts'
import type { PointReadRequest, PointValues } from '../compute/statistics/point.ts'
import { computeStatisticsOfAreas, computeZonalStatistics } from '../compute/statistics/zonal-statistics.ts'
import type { AreasStatisticsRequest, ZonalStatisticsRequest } from '../compute/statistics/zonal-statistics.ts'
import { renderBandTile } from '../render/band-tile.ts'
import type { BandTileRequest } from '../render/band-tile.ts'
import { renderComposite } from '../render/composite.ts'
import type { CompositeRequest } from '../render/composite.ts'
import { renderPreview, renderTile } from '../render/render-tile.ts'
import type { RenderPreviewRequest, RenderTileRequest } from '../render/render-tile.ts'
import { decodeImage } from '../formats/images/decode-image.ts'
import type { DecodeImageRequest } from '../formats/images/decode-image.ts'
import { readWindow } from '../compute/window/read-window.ts'
import { renderFormulaWindow } from '../render/formula-image.ts'
import type { FormulaWindowImage } from '../render/formula-image.ts'
import type { PixelBlock, Raster, TileRequest, WindowRequest } from '../types.ts'
import type { CogResult } from '../cog/writer/cog-types.ts'
import { writeAreaChange } from '../cog/area-change.ts'
import type { AreaChangeRequest, AreaChangeResult } from '../cog/area-change.ts'
import { copyToCog } from '../cog/convert.ts'
import type { CogCopyOptions } from '../cog/convert.ts'
import { formulaWindowToCog } from '../cog/formula-window-cog.ts'
import type { FormulaWindowCog } from '../cog/formula-window-cog.ts'
import { relocateRasterToCog } from '../cog/relocate.ts'
import type { RelocateOptions } from '../cog/relocate.ts'
import { exportRaster } from '../cog/exports/export-process.ts'
import type { ExportProcess, ExportRequest } from '../cog/exports/export-process.ts'
import { runVectorProcess } from '../cog/features/vector-process.ts'
import type { VectorProcess, VectorProcessRequest } from '../cog/features/vector-process.ts'
import { estimateProcessResultSize, type ProcessResultSize } from '../cog/measure-process.ts'
import { runProcessToCog } from '../cog/process.ts'
import type { ProcessRequest, RasterProcess } from '../cog/process.ts'
import { computeRasterFootprint } from '../formats/crs/crs.ts'
import type { BandSelection } from '../cog/sources/copy.ts'

/** Work on rasters that a worker can do: name, request, answer. Requests and answers are plain data. */
export interface RasterJobTypes {
  /** Nothing: a thread that answers is ready. */
  readonly nothing: RasterJob<object, null>
  /** Pixels of a tile, and of the whole. */
  readonly tile: RasterJob<TileRequest, PixelBlock>
  readonly preview: RasterJob<PreviewRequest, PixelBlock>
  /** Pixels of a JPEG, PNG or WebP that is no raster of a map. */
  readonly decodeImage: RasterJob<DecodeImageRequest, PixelBlock>
  /** Pixels of a window of one level, as they are stored. */
  readonly window: RasterJob<WindowRequest, PixelBlock>
  /** Bands of several files as one encoded tile. */
  readonly renderBandTile: RasterJob<BandTileRequest, Uint8Array>
  /** The same as encoded images. */
  readonly renderTile: RasterJob<RenderTileRequest, Uint8Array>
  readonly renderPreview: RasterJob<RenderPreviewRequest, Uint8Array>
  /** Rasters over each other, each with its own style. */
  readonly renderComposite: RasterJob<CompositeRequest, Uint8Array>
  /** Exact numbers of a whole raster or a window, and of an area on the earth. */
  readonly statistics: RasterJob<StatisticsRequest, RasterStatistics>
  readonly zonal: RasterJob<ZonalAreaRequest, RasterStatistics>
  /** The same of many areas; null for one that does not reach the raster. */
  readonly areas: RasterJob<AreasStatisticsRequest, (RasterStatistics | null)[]>
  /** A formula over a part of a raster as an encoded image, and as a cloud optimized GeoTIFF. */
  readonly renderFormulaWindow: RasterJob<FormulaWindowImage, Uint8Array>
  readonly formulaToCog: RasterJob<FormulaWindowCog, CogResult>
  /** The change of a formula inside an area from the first raster to the second one. */
  readonly areaChange: RasterJob<AreaChangeRequest, AreaChangeResult>
  /** The values at places on the earth; null for one that the raster does not cover. */
  readonly points: RasterJob<PointsRequest, (PointValues | null)[]>
  /** Files that share a grid as one cloud optimized GeoTIFF. */
  readonly copyToCog: RasterJob<CopyRequest, CogResult>
  /** A part of a raster at another place as one cloud optimized GeoTIFF. */
  readonly relocateToCog: RasterJob<RelocateRequest, CogResult>
  /** The image that a process makes of rasters, as one cloud optimized GeoTIFF. */
  readonly processToCog: RasterJob<ProcessRequest, CogResult>
  /** The features that a process makes of rasters, as GeoJSON; their number. */
  readonly processToFeatures: RasterJob<VectorProcessRequest, number>
  /** A raster in another format. */
  readonly processToExport: RasterJob<ExportRequest, null>
  /** The number of samples and the memory that a process needs, by the headers of its rasters. */
  readonly measureProcess: RasterJob<EstimateResultSizeRequest, ProcessResultSize>
  /** Whether overviews show that a process has values to read; false says nothing yet. */
  readonly findValuesInOverviews: RasterJob<SourceValuesRequest, boolean>
  /** Refuses a process that has no value to read. */
  readonly requireValues: RasterJob<SourceValuesRequest, null>
  /** The grid that an image is given in another reference system, or for null in its own. */
  readonly suggestGrid: RasterJob<SuggestGridRequest, Pick<TargetGrid, 'width' | 'height' | 'affine'>>
  /** The part of an area that lies in the footprint of a raster, the footprint if it takes too many steps; null if there is none. */
  readonly footprintWithin: RasterJob<FootprintRequest, AreaGeometry | null>
}

export interface EstimateResultSizeRequest {
  readonly process: RasterProcess | VectorProcess | ExportProcess
}

export interface SuggestGridRequest {
  readonly epsg: number | null
}

export interface FootprintRequest {
  readonly area: AreaGeometry
}

export interface RelocateRequest extends RelocateOptions {
  /** Of the file that is written. */
  readonly path: string
}

export interface ZonalAreaRequest extends ZonalStatisticsRequest {
  readonly area: AreaGeometry
}

export interface PointsRequest extends PointReadRequest {
  readonly positions: readonly (readonly [longitude: number, latitude: number])[]
}

export interface CopyRequest extends CogCopyOptions {
  /** Of the file that is written. */
  readonly path: string
  readonly bands: readonly BandSelection[] | null
}

export type RasterJob<Request, Value> = (rasters: readonly Raster[], request: Request) => Promise<Value>
export type RasterJobName = keyof RasterJobTypes
export type RasterJobRequest<Name extends RasterJobName> = Omit<Parameters<RasterJobTypes[Name]>[1], 'signal'>
export type RasterJobResult<Name extends RasterJobName> = Awaited<ReturnType<RasterJobTypes[Name]>>

/** About a second, and 200 MiB. */
const max_footprint_steps = 2_000_000

/** Jobs that may take seconds or hours; all others return an image or a few values, for which a user waits. */
const longJobs: ReadonlySet<RasterJobName> = new Set([
  'statistics',
  'zonal',
  'areas',
  'formulaToCog',
  'areaChange',
  'copyToCog',
  'relocateToCog',
  'processToCog',
  'processToFeatures',
  'processToExport',
  'footprintWithin',
  'requireValues',
])

/** True for a job that has a thread of its own. */
export const isLongJob = (name: RasterJobName): boolean => longJobs.has(name)

export const rasterJobFunctions: RasterJobTypes = {
  nothing: async () => null,
  tile: ([raster], request) => readTile(raster!, request),
  preview: ([raster], request) => readPreview(raster!, request),
  decodeImage: (_rasters, request) => decodeImage(request),
  window: ([raster], request) => readWindow(raster!, request),
  renderBandTile,
  renderTile,
  renderPreview: ([raster], request) => renderPreview(raster!, request),
  renderComposite,
  statistics: ([raster], request) => computeRasterStatistics(raster!, request),
  zonal: ([raster], { area, ...request }) => computeZonalStatistics(raster!, area, request),
  areas: ([raster], request) => computeStatisticsOfAreas(raster!, request),
  renderFormulaWindow: ([raster], request) => renderFormulaWindow(raster!, request),
  formulaToCog: ([raster], request) => formulaWindowToCog(raster!, request),
  areaChange: ([before, after], request) => writeAreaChange(before!, after!, request),
  points: ([raster], { positions, ...request }) => readPoints(raster!, positions, request),
  copyToCog: (rasters, { path, bands, ...options }) => copyToCog(rasters, bands, path, options),
  relocateToCog: ([raster], { path, ...options }) => relocateRasterToCog(raster!, path, options),
  processToCog: runProcessToCog,
  processToFeatures: runVectorProcess,
  processToExport: exportRaster,
  measureProcess: (rasters, { process }) => estimateProcessResultSize(rasters, process),
  findValuesInOverviews: findValuesInOverviews,
  requireValues: async (rasters, request) => {
    await requireSourceValues(rasters, request)
    return null
  },
  suggestGrid: async ([raster], { epsg }) => {
    const { width, height, affine } = suggestWarpGrid(
      raster!,
      epsg === null ? raster!.crs : await createCrsFromEpsg(epsg),
    )
    return { width, height, affine }
  },
  footprintWithin: async ([raster], { area }) =>
    intersectPolygons(computeRasterFootprint(raster!) as AreaGeometry, area, max_footprint_steps),
}
