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

export { countingSource } from './source/counting.ts'
export type { ReadCount, ReadLimits } from './source/counting.ts'
export { fileSource, onDemandFileSource } from './source/file.ts'
export { cacheHeader } from './source/head.ts'
export { httpSource } from './source/http.ts'
export type { HttpFetch, HttpFetchOptions, HttpSourceOptions } from './source/http.ts'
export type { HttpFetchResponse } from './source/http-answer.ts'
export { memorySource } from './source/memory.ts'
export { rangedSource } from './source/ranged.ts'
export { s3Source } from './source/s3.ts'
export type { S3Credentials, S3Object } from './source/s3.ts'
export { createHeaderCache } from './cache/header-cache.ts'
export type { HeaderCache, RasterSourceKey } from './cache/header-cache.ts'
export { createTileCache } from './cache/tile-cache.ts'
export type { EncodedTile, TileCache } from './cache/tile-cache.ts'
export { openRaster } from './tiff/open.ts'
export { openWithMask } from './tiff/external-mask.ts'
export { openRasterFile, openWithOverviews } from './tiff/side-files.ts'
export { readWindow } from './tiff/read.ts'
export { effectiveNodata } from './tiff/validity.ts'

export { footprint, fromLonLat, lonLatBounds, toLonLat } from './crs/crs.ts'
export { toProjjson } from './crs/projjson.ts'

export { readTile } from './draw/tile.ts'
export { readMosaicTile } from './draw/mosaic-tile.ts'
export type { MosaicTileRequest } from './draw/mosaic-tile.ts'
export { addToMosaic, finishMosaic, isMosaicComplete, mergeBlocks, startMosaic } from './draw/mosaic.ts'
export type { MosaicAccumulator, PixelSelection } from './draw/mosaic.ts'
export { maskOutside, maskOutsideInTile } from './draw/polygon-mask.ts'
export type { LonLatToPixel } from './draw/polygon-mask.ts'
export { readPreview } from './draw/preview.ts'
export type { PreviewRequest } from './draw/preview.ts'

export { expressionBands, EXPRESSION_FUNCTIONS, parseExpression } from './math/expression.ts'
export type { Expression, ExpressionLimits } from './math/expression.ts'
export { evaluateExpression } from './math/evaluate.ts'
export type { BandIndexByName } from './math/evaluate.ts'
export { SPECTRAL_INDICES, spectralIndexBands } from './spectral/indices.ts'
export type { SpectralIndex } from './spectral/indices.ts'
export { findSensorBand, findSensorId, SENSORS } from './spectral/sensors.ts'
export type { Sensor, SensorBand } from './spectral/sensors.ts'

export { computeBandStatistics } from './measure/statistics.ts'
export { computeRasterHistogram, computeRasterStatistics } from './measure/raster-statistics.ts'
export type { StatisticsRequest } from './measure/raster-statistics.ts'
export { computeStatisticsOfAreas, computeZonalStatistics } from './measure/zones/zonal-statistics.ts'
export type { AreasRequest, ZonalStatisticsRequest } from './measure/zones/zonal-statistics.ts'
export type {
  MeasuredBandStatistics,
  ClassCount,
  Histogram,
  HistogramOptions,
  MeasurementRequest,
  RasterStatistics,
} from './measure/measures.ts'
export { readPoint } from './measure/point.ts'
export type { PointReadRequest, PointValues } from './measure/read-places.ts'
export { readProfile } from './measure/profile.ts'
export type { LineString, RasterProfile, ProfilePoint, ProfileRequest } from './measure/profile.ts'

export { parseRescale, rescaleBlock } from './colour/rescale.ts'
export type { RescaleRange } from './colour/stretch.ts'
export { listColormapNames, paletteToColormap, parseColormap, parseColormapValue } from './colour/colormap.ts'
export type { Colormap } from './colour/colormap.ts'
export { applyColormap } from './colour/indexed.ts'
export type { Rgba } from './colour/colour.ts'

export { decodeTerrainHeight } from './colour/terrain.ts'
export type { TerrainRgbOptions, TerrainEncoding } from './colour/terrain.ts'

export { applyStyle } from './paint/paint.ts'
export type { RasterBandStyle, RasterExpressionStyle, RasterStyle, RasterTerrainStyle } from './paint/look.ts'

export { encodeBlock, encodeRenderedImage, imageMediaType } from './encode/image.ts'
export type { EncodeOptions, ImageFormat } from './encode/image.ts'
export { encodePng } from './encode/png.ts'
export type { RenderedImage } from './encode/picture.ts'
export { chooseColourBands, renderThumbnail, computePercentileRanges } from './encode/thumbnail.ts'
export type { Thumbnail, ThumbnailRequest } from './encode/thumbnail.ts'

export { checkCogLayout } from './write/check.ts'
export type { CogLayoutReport } from './write/check.ts'
export { writeCog } from './write/cog.ts'
export type { CogInput, CogOptions, CogResult } from './write/cog-types.ts'
export { writeAreaChange } from './write/area-change.ts'
export type { AreaChange, AreaChangeRequest, AreaChangeResult } from './write/area-change.ts'
export { copyToCog } from './write/convert.ts'
export type { CogCopyOptions } from './write/convert.ts'
export { relocateToCog } from './write/relocate.ts'
export type { RelocateOptions } from './write/relocate.ts'
export type { BandSelection } from './write/sources/copy.ts'
export { createCopyInput } from './write/sources/copy.ts'
export { createClipInput } from './write/sources/clip.ts'
export type { ClipOptions } from './write/sources/clip.ts'
export { createExpressionInput } from './write/sources/expression.ts'
export type { ExpressionOptions } from './write/sources/expression.ts'
export { createChangeInput } from './write/sources/change.ts'
export type { ChangeMeasure, ChangeOptions } from './write/sources/change.ts'
export { FLOAT_VALUE_FORMAT, integerValueFormat } from './write/sources/value-format.ts'
export type { ValueFormat } from './write/sources/value-format.ts'
export { createReprojectInput } from './write/sources/reproject.ts'
export type { ReprojectOptions } from './write/sources/reproject.ts'
export { crsFromEpsg } from './crs/from-code.ts'
export { crsFromWkt } from './crs/from-wkt.ts'
export { createCrsTransform } from './crs/transform.ts'
export type { CrsTransform } from './crs/transform.ts'
export { suggestGrid } from './write/sources/suggest-grid.ts'
export type { SuggestGridOptions } from './write/sources/suggest-grid.ts'
export { createMosaicInput } from './write/sources/mosaic.ts'
export type { MosaicOptions, MosaicPixelSelection } from './write/sources/mosaic.ts'
export { createProcessInput, estimateProcessMemory } from './write/process.ts'
export type { RasterProcess } from './write/process.ts'
export { checkVectorProcess, makesFeatures } from './write/features/vector-process.ts'
export type { VectorProcess } from './write/features/vector-process.ts'
export { createExportInput, isExport } from './write/exports/export-process.ts'
export type { ExportProcess } from './write/exports/export-process.ts'
export { MAX_SIEVE_PIXELS } from './write/sources/sieve.ts'
export { prepareWarp } from './draw/warp-grid.ts'
export type { PreparedWarp, TargetGrid } from './draw/warp-grid.ts'
export { warpWindow } from './draw/warp-window.ts'
export { blockToPixelRows } from './write/pixel-rows.ts'
export { requireAlignedGrids } from './write/one-grid.ts'

export type { BandSource, BandTileRequest } from './paint/band-tile.ts'
export { enlargeBlock, joinBlocks, renderBandTile } from './paint/band-tile.ts'
export type { CompositeLayer, CompositeRequest } from './paint/collage.ts'
export { renderPreview, renderTile } from './paint/pack.ts'
export type { RenderOptions, RenderPreviewRequest, RenderTileRequest } from './paint/pack.ts'
export { createRasterPool } from './pool/pool.ts'
export type { PoolOptions, RasterPool } from './pool/pool.ts'
export type { RasterJobName, RasterJobRequest, RasterJobResult } from './pool/jobs.ts'
