export type {
  BandInfo,
  BandStatistics,
  Crs,
  GeoTags,
  Level,
  PixelBlock,
  Georeferencing,
  PixelRows,
  Raster,
  Resampling,
  Samples,
  SampleType,
  Source,
  TileRequest,
  WindowRequest,
} from './types.ts'
export { RasterFailure, rejectOnAbort } from './failures.ts'
export type { RasterFailureKind } from './failures.ts'

export { countingSource } from './io/source/counting.ts'
export type { ReadCount, ReadLimits } from './io/source/counting.ts'
export { fileSource, onDemandFileSource } from './io/source/file.ts'
export { cacheHeader } from './io/source/cached-header.ts'
export { httpSource } from './io/source/http.ts'
export type { HttpFetch, HttpFetchOptions, HttpSourceOptions } from './io/source/http.ts'
export type { HttpFetchResponse } from './io/source/http-response.ts'
export { memorySource } from './io/source/memory.ts'
export { rangedSource } from './io/source/ranged.ts'
export { s3Source } from './io/source/s3.ts'
export type { S3Credentials, S3Object } from './io/source/s3.ts'
export { createHeaderCache } from './io/cache/header-cache.ts'
export type { HeaderCache, RasterSourceKey } from './io/cache/header-cache.ts'
export { createTileCache } from './io/cache/tile-cache.ts'
export type { EncodedTile, TileCache } from './io/cache/tile-cache.ts'
export { openRaster } from './formats/open-raster.ts'
export { openWithMask } from './formats/external-mask.ts'
export { openRasterFile, openWithOverviews } from './formats/side-files.ts'
export { readWindow } from './compute/window/read-window.ts'
export { effectiveNodata } from './compute/window/validity.ts'

export { footprint, fromLonLat, lonLatBounds, toLonLat } from './formats/crs/crs.ts'
export { toProjjson } from './formats/crs/projjson.ts'

export { readTile } from './render/warp/tile.ts'
export { readMosaicTile } from './render/warp/mosaic-tile.ts'
export type { MosaicTileRequest } from './render/warp/mosaic-tile.ts'
export { addToMosaic, finishMosaic, isMosaicComplete, mergeBlocks, startMosaic } from './render/warp/mosaic.ts'
export type { MosaicAccumulator, PixelSelection } from './render/warp/mosaic.ts'
export { maskOutside, maskOutsideInTile } from './render/warp/polygon-mask.ts'
export type { LonLatToPixel } from './render/warp/polygon-mask.ts'
export { readPreview } from './render/warp/preview.ts'
export type { PreviewRequest } from './render/warp/preview.ts'

export { expressionBands, EXPRESSION_FUNCTIONS, parseExpression } from './compute/expression/expression.ts'
export type { Expression, ExpressionLimits } from './compute/expression/expression.ts'
export { evaluateExpression } from './compute/expression/evaluate.ts'
export type { BandIndexByName } from './compute/expression/evaluate.ts'
export { SPECTRAL_INDICES, spectralIndexBands } from './compute/indices/indices.ts'
export type { SpectralIndex } from './compute/indices/indices.ts'
export { findSensorBand, findSensorId, SENSORS } from './compute/indices/sensors.ts'
export type { Sensor, SensorBand } from './compute/indices/sensors.ts'

export { computeBandStatistics } from './compute/statistics/statistics.ts'
export { computeRasterHistogram, computeRasterStatistics } from './compute/statistics/raster-statistics.ts'
export type { StatisticsRequest } from './compute/statistics/raster-statistics.ts'
export { flattenArea } from './compute/areas/outline.ts'
export { computeStatisticsOfAreas, computeZonalStatistics } from './compute/statistics/zonal-statistics.ts'
export type { AreasRequest, ZonalStatisticsRequest } from './compute/statistics/zonal-statistics.ts'
export type {
  MeasuredBandStatistics,
  ClassCount,
  Histogram,
  HistogramOptions,
  MeasurementRequest,
  RasterStatistics,
} from './compute/statistics/measures.ts'
export { readPoint } from './compute/statistics/point.ts'
export type { PointReadRequest, PointValues } from './compute/statistics/read-points.ts'
export { readProfile } from './compute/statistics/profile.ts'
export type { LineString, RasterProfile, ProfilePoint, ProfileRequest } from './compute/statistics/profile.ts'

export { parseRescale, rescaleBlock } from './render/style/rescale.ts'
export type { RescaleRange } from './render/style/stretch.ts'
export { listColormapNames, paletteToColormap, parseColormap, parseColormapValue } from './render/style/colormap.ts'
export type { Colormap } from './render/style/colormap.ts'
export { applyColormap } from './render/style/indexed.ts'
export type { Rgba } from './render/style/colour.ts'

export { decodeTerrainHeight } from './render/style/terrain.ts'
export type { TerrainRgbOptions, TerrainEncoding } from './render/style/terrain.ts'

export { applyStyle } from './render/style/apply-style.ts'
export type {
  RasterBandStyle,
  RasterExpressionStyle,
  RasterStyle,
  RasterTerrainStyle,
} from './render/style/render-style.ts'

export { encodeBlock, encodeRenderedImage, imageMediaType } from './render/encode/image.ts'
export type { EncodeOptions, ImageFormat } from './render/encode/image.ts'
export { encodePng } from './render/encode/png.ts'
export type { RenderedImage } from './render/encode/rendered-image.ts'
export { chooseColourBands, renderThumbnail, computePercentileRanges } from './render/thumbnail.ts'
export type { Thumbnail, ThumbnailRequest } from './render/thumbnail.ts'

export { checkCogLayout } from './cog/writer/check-layout.ts'
export type { CogLayoutReport } from './cog/writer/check-layout.ts'
export { writeCog } from './cog/writer/cog.ts'
export type { CogInput, CogOptions, CogResult } from './cog/writer/cog-types.ts'
export { writeAreaChange } from './cog/area-change.ts'
export type { AreaChange, AreaChangeRequest, AreaChangeResult } from './cog/area-change.ts'
export { copyToCog } from './cog/convert.ts'
export type { CogCopyOptions } from './cog/convert.ts'
export { relocateToCog } from './cog/relocate.ts'
export type { RelocateOptions } from './cog/relocate.ts'
export type { BandSelection } from './cog/sources/copy.ts'
export { createCopyInput } from './cog/sources/copy.ts'
export { createClipInput } from './cog/sources/clip.ts'
export type { ClipOptions } from './cog/sources/clip.ts'
export { createExpressionInput } from './cog/sources/expression.ts'
export type { ExpressionOptions } from './cog/sources/expression.ts'
export { createChangeInput } from './cog/sources/change.ts'
export type { ChangeMeasure, ChangeOptions } from './cog/sources/change.ts'
export { FLOAT_VALUE_FORMAT, integerValueFormat } from './cog/sources/value-format.ts'
export type { ValueFormat } from './cog/sources/value-format.ts'
export { createReprojectInput } from './cog/sources/reproject.ts'
export type { ReprojectOptions } from './cog/sources/reproject.ts'
export { crsFromEpsg } from './formats/crs/from-code.ts'
export { crsFromWkt } from './formats/crs/from-wkt.ts'
export { createCrsTransform } from './formats/crs/transform.ts'
export type { CrsTransform } from './formats/crs/transform.ts'
export { suggestGrid } from './cog/sources/suggest-grid.ts'
export type { SuggestGridOptions } from './cog/sources/suggest-grid.ts'
export { createMosaicInput } from './cog/sources/mosaic.ts'
export type { MosaicOptions, MosaicPixelSelection } from './cog/sources/mosaic.ts'
export { createProcessInput, estimateProcessMemory } from './cog/process.ts'
export type { RasterProcess } from './cog/process.ts'
export { checkVectorProcess, makesFeatures } from './cog/features/vector-process.ts'
export type { VectorProcess } from './cog/features/vector-process.ts'
export { createExportInput, isExport } from './cog/exports/export-process.ts'
export type { ExportProcess } from './cog/exports/export-process.ts'
export { MAX_SIEVE_PIXELS } from './cog/sources/sieve.ts'
export { prepareWarp } from './render/warp/warp-grid.ts'
export type { PreparedWarp, TargetGrid } from './render/warp/warp-grid.ts'
export { warpWindow } from './render/warp/warp-window.ts'
export { blockToPixelRows } from './cog/writer/pixel-rows.ts'
export { requireAlignedGrids } from './cog/sources/aligned-grids.ts'

export type { BandSource, BandTileRequest } from './render/band-tile.ts'
export { enlargeBlock, joinBlocks, renderBandTile } from './render/band-tile.ts'
export type { CompositeLayer, CompositeRequest } from './render/composite.ts'
export { renderPreview, renderTile } from './render/render-tile.ts'
export type { RenderOptions, RenderPreviewRequest, RenderTileRequest } from './render/render-tile.ts'
export { createRasterPool } from './pool/pool.ts'
export type { PoolOptions, RasterPool } from './pool/pool.ts'
export type { RasterJobName, RasterJobRequest, RasterJobResult } from './pool/jobs.ts'
