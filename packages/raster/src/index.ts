export type {
  BandInfo,
  BandStatistics,
  Crs,
  GeoTags,
  Level,
  PixelBlock,
  Placement,
  PixelRows,
  Raster,
  Resampling,
  Samples,
  SampleType,
  Source,
  TileRequest,
  WindowRequest,
} from './types.ts'
export { RasterFailure, untilCancelled } from './failures.ts'
export type { RasterFailureKind } from './failures.ts'

export { countingSource } from './source/counting.ts'
export type { ReadCount, ReadLimits } from './source/counting.ts'
export { fileSource, pathSource } from './source/file.ts'
export { keepHead } from './source/head.ts'
export { httpSource } from './source/http.ts'
export type { Ask, HttpRequest, HttpSourceOptions } from './source/http.ts'
export type { HttpAnswer } from './source/http-answer.ts'
export { memorySource } from './source/memory.ts'
export { rangedSource } from './source/ranged.ts'
export { s3Source } from './source/s3.ts'
export type { S3Credentials, S3Object } from './source/s3.ts'
export { createHeaderCache } from './cache/header-cache.ts'
export type { HeaderCache, RasterName } from './cache/header-cache.ts'
export { createTileCache } from './cache/tile-cache.ts'
export type { EncodedTile, TileCache } from './cache/tile-cache.ts'
export { openRaster } from './tiff/open.ts'
export { openMasked } from './tiff/external-mask.ts'
export { openRasterFile, openWithOverviews } from './tiff/side-files.ts'
export { readWindow } from './tiff/read.ts'
export { decidingNodata } from './tiff/validity.ts'

export { footprint, fromLonLat, lonLatBounds, toLonLat } from './crs/crs.ts'

export { drawTile } from './draw/tile.ts'
export { drawMosaicTile } from './draw/mosaic-tile.ts'
export type { MosaicTileRequest } from './draw/mosaic-tile.ts'
export { addToMosaic, finishMosaic, isFull, mosaicBlocks, startMosaic } from './draw/mosaic.ts'
export type { Mosaic, MosaicRule } from './draw/mosaic.ts'
export { clearOutside, clearOutsideInTile } from './draw/polygon-mask.ts'
export type { ToPixel } from './draw/polygon-mask.ts'
export { drawPreview } from './draw/preview.ts'
export type { PreviewRequest } from './draw/preview.ts'

export { expressionBands, FUNCTIONS, parseExpression } from './math/expression.ts'
export type { Expression, ExpressionLimits } from './math/expression.ts'
export { evaluate } from './math/evaluate.ts'
export type { BandPlaces } from './math/evaluate.ts'
export { INDICES, indexBands } from './math/indices.ts'
export type { SpectralIndex } from './math/indices.ts'

export { bandStatistics } from './measure/statistics.ts'
export { rasterHistogram, rasterStatistics } from './measure/raster-statistics.ts'
export type { StatisticsRequest } from './measure/raster-statistics.ts'
export { zonalStatistics } from './measure/zonal-statistics.ts'
export type { ZonalRequest } from './measure/zonal-statistics.ts'
export type {
  BandMeasures,
  ClassCount,
  Histogram,
  HistogramRequest,
  MeasureRequest,
  Measures,
} from './measure/measures.ts'
export { readPoint } from './measure/point.ts'
export type { PlaceRequest, PlaceValues } from './measure/read-places.ts'
export { readProfile } from './measure/profile.ts'
export type { LineString, Profile, ProfilePoint, ProfileRequest } from './measure/profile.ts'

export { parseRescale, rescaleBlock } from './colour/rescale.ts'
export type { StretchRange } from './colour/stretch.ts'
export { colormapNames, colormapOfPalette, parseColormap, readColormap } from './colour/colormap.ts'
export type { Colormap } from './colour/colormap.ts'
export { applyColormap } from './colour/indexed.ts'
export type { Rgba } from './colour/colour.ts'

export { decodeHeight } from './colour/terrain.ts'
export type { Terrain, TerrainEncoding } from './colour/terrain.ts'

export { paintPicture } from './paint/paint.ts'
export type { BandsLook, ExpressionLook, Look, TerrainLook } from './paint/look.ts'

export { encodeImage, encodePicture, imageMediaType } from './encode/image.ts'
export type { EncodeOptions, ImageFormat } from './encode/image.ts'
export { encodePng } from './encode/png.ts'
export type { Picture } from './encode/picture.ts'
export { chooseColourBands, drawThumbnail, stretchByPercentiles } from './encode/thumbnail.ts'
export type { Thumbnail, ThumbnailRequest } from './encode/thumbnail.ts'

export { checkCogLayout } from './write/check.ts'
export type { CogLayout } from './write/check.ts'
export { writeCog } from './write/cog.ts'
export type { CogInput, CogOptions, CogResult } from './write/cog-types.ts'
export { copyToCog } from './write/convert.ts'
export type { CopyOptions } from './write/convert.ts'
export type { BandChoice } from './write/sources/copy.ts'
export { copySource } from './write/sources/copy.ts'
export { clipSource } from './write/sources/clip.ts'
export type { ClipOptions } from './write/sources/clip.ts'
export { expressionSource } from './write/sources/expression.ts'
export type { ExpressionOptions } from './write/sources/expression.ts'
export { changeSource } from './write/sources/change.ts'
export type { ChangeMeasure, ChangeOptions } from './write/sources/change.ts'
export { FLOAT_VALUES, wholeNumbers } from './write/sources/value-format.ts'
export type { ValueFormat } from './write/sources/value-format.ts'
export { reprojectSource } from './write/sources/reproject.ts'
export type { ReprojectOptions } from './write/sources/reproject.ts'
export { crsFromCode } from './crs/from-code.ts'
export { crsFromWkt } from './crs/from-wkt.ts'
export { transformOf } from './crs/transform.ts'
export type { Transform } from './crs/transform.ts'
export { suggestGrid } from './write/sources/suggest-grid.ts'
export type { GridWishes } from './write/sources/suggest-grid.ts'
export { mosaicSource } from './write/sources/mosaic.ts'
export type { MosaicOptions, MosaicOrder } from './write/sources/mosaic.ts'
export { prepareWarp } from './draw/warp-grid.ts'
export type { GridWarp, TargetGrid } from './draw/warp-grid.ts'
export { warpWindow } from './draw/warp-window.ts'
export { pixelRowsOf } from './write/pixel-rows.ts'
export { checkOneGrid } from './write/one-grid.ts'

export type { CollagePart, CollageRequest } from './paint/collage.ts'
export { renderPreview, renderTile } from './paint/pack.ts'
export type { PictureTerms, PreviewPictureRequest, TilePictureRequest } from './paint/pack.ts'
export { createRasterPool } from './pool/pool.ts'
export type { PoolOptions, RasterPool } from './pool/pool.ts'
export type { JobName, RequestOf, ValueOf } from './pool/jobs.ts'
