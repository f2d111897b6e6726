export type {
  BandStatistics,
  Crs,
  PixelBlock,
  Raster,
  Resampling,
  SampleArray,
  SampleType,
  RasterByteSource,
} from './types.ts'
export { RasterFailure, placeOutsideReason, rejectOnAbort } from './failures.ts'
export type { RasterFailureKind } from './failures.ts'

export { createCountingSource } from './io/source/counting.ts'
export { openFileSource, createOnDemandFileSource } from './io/source/file.ts'
export { createHeaderCachingSource } from './io/source/cached-header.ts'
export { createHttpSource } from './io/source/http.ts'
export type { HttpFetch } from './io/source/http.ts'
export { createMemorySource } from './io/source/memory.ts'
export { createRangedSource } from './io/source/ranged.ts'
export { createRasterHeaderCache } from './io/cache/header-cache.ts'
export type { HeaderCache } from './io/cache/header-cache.ts'
export { createTileCache } from './io/cache/tile-cache.ts'
export type { TileCache } from './io/cache/tile-cache.ts'
export { openRaster } from './formats/open-raster.ts'
export { openRasterFile } from './formats/sidecar-files.ts'
export { readWindow } from './compute/window/read-window.ts'
export { findEffectiveNodata } from './compute/window/validity.ts'

export { computeRasterFootprint, lonLatToCrs, computeLonLatBounds, crsToLonLat } from './formats/crs/crs.ts'
export { toProjjson } from './formats/crs/projjson.ts'

export { readTile } from './render/warp/tile.ts'
export { createTileMasker } from './render/warp/polygon-mask.ts'
export { readPreview } from './render/warp/preview.ts'

export { listExpressionBands, parseExpression } from './compute/expression/expression.ts'
export type { Expression } from './compute/expression/expression.ts'
export { evaluateExpression } from './compute/expression/evaluate.ts'
export { spectralIndicesByName, listSpectralIndexBands } from './compute/indices/indices.ts'
export type { SpectralIndexDefinition } from './compute/indices/indices.ts'
export { findSensorBand, findSensorId, sensorsByName } from './compute/indices/sensors.ts'
export type { Sensor } from './compute/indices/sensors.ts'

export { computeBandStatistics } from './compute/statistics/statistics.ts'
export { computeRasterStatistics } from './compute/statistics/raster-statistics.ts'
export { toOutlineRings } from './compute/areas/outline.ts'
export { createRasterFormula } from './compute/statistics/formula.ts'
export { computeZonalStatistics } from './compute/statistics/zonal-statistics.ts'
export type { MeasuredBandStatistics, HistogramOptions, RasterStatistics } from './compute/statistics/measures.ts'
export { readPoint } from './compute/statistics/point.ts'

export { parseRescale, rescaleBlock } from './render/style/rescale.ts'
export type { RescaleRange, ToneCurve } from './render/style/stretch.ts'
export { chooseNaturalStretch } from './render/style/natural-stretch.ts'
export type { Stretch } from './render/style/natural-stretch.ts'
export { checkColourOperations, parseColourFormula } from './render/style/colour-formula.ts'
export type { ColourOperation } from './render/style/colour-formula.ts'
export { listColormapNames, paletteToColormap, parseColormap } from './render/style/colormap.ts'
export type { Colormap } from './render/style/colormap.ts'
export type { Rgba } from './render/style/colour.ts'

export { decodeTerrainHeight } from './render/style/terrain.ts'
export type { TerrainRgbOptions, TerrainEncoding } from './render/style/terrain.ts'

export type { RasterStyle } from './render/style/render-style.ts'

export { encodePixelBlockAsImage, encodeRenderedImage, imageMediaType } from './render/encode/image.ts'
export type { ImageFormat } from './render/encode/image.ts'
export { encodePng } from './render/encode/png.ts'
export { renderThumbnail, computePercentileRanges } from './render/thumbnail.ts'

export { writeCog } from './cog/writer/cog.ts'
export type { CogInput, CogOptions, CogResult } from './cog/writer/cog-types.ts'
export type { AreaChange, AreaChangeResult } from './cog/area-change.ts'
export { copyToCog } from './cog/convert.ts'
export { createCopyInput } from './cog/sources/copy.ts'
export { createClipInput } from './cog/sources/clip.ts'
export { createExpressionInput } from './cog/sources/expression.ts'
export { createReprojectInput } from './cog/sources/reproject.ts'
export { createCrsFromEpsg } from './formats/crs/from-code.ts'
export { createCrsFromWkt } from './formats/crs/from-wkt.ts'
export { withAreaShift } from './formats/crs/resolve.ts'
export { createCrsTransform, type CrsTransform } from './formats/crs/transform.ts'
export { suggestWarpGrid } from './cog/sources/suggest-warp-grid.ts'
export { createMosaicInput } from './cog/sources/mosaic.ts'
export { createProcessInput, estimateProcessImageMemory } from './cog/process.ts'
export type { RasterProcess } from './cog/process.ts'
export { checkVectorProcess, isVectorProcess } from './cog/features/vector-process.ts'
export { contourLimits } from './cog/features/contours.ts'
export { roundUpToNiceNumber, suggestContourInterval } from './cog/features/suggest-interval.ts'
export type { VectorProcess } from './cog/features/vector-process.ts'
export { createExportInput, isExportProcess } from './cog/exports/export-process.ts'
export type { ExportProcess } from './cog/exports/export-process.ts'
export type { TargetGrid } from './render/warp/warp-grid.ts'

export { stackBlockBands } from './render/band-tile.ts'
export { createRasterPool } from './pool/pool.ts'
export type { RasterPool } from './pool/pool.ts'
export { isLongJob } from './pool/jobs.ts'
export type { RasterJobName, RasterJobRequest, RasterJobResult } from './pool/jobs.ts'
