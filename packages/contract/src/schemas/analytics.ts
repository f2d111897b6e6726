import Type, { type Static } from 'typebox'
import { Count, Nullable, AnyObject, Timestamp, Uuid } from './primitives.ts'
import { BandStatistics } from './rendering.ts'

/** A method of `analytics.execute`; `params_schema` and `result_schema` are JSON Schemas. */
export const AnalyticsMethod = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  data_types: Type.Array(Type.String()),
  params_schema: AnyObject,
  result_schema: AnyObject,
})

/** A standard spectral index with the bands it requires. */
export const SpectralIndex = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  category: Type.String(),
  formula: Type.String(),
  required_bands: Type.Array(Type.String()),
  value_range: Type.Array(Type.Number()),
  colormap: Type.String(),
  sensors: Type.Array(Type.String()),
  needs_reflectance: Type.Boolean({ description: 'True if bands must be reflectances from 0 to 1.' }),
  reference: Type.String({ description: 'Where the formula comes from.' }),
})

export type SpectralIndex = Static<typeof SpectralIndex>

/** A sensor with its bands, in the order of its files. */
export const AnalyticsSensor = Type.Object({
  name: Type.String(),
  title: Type.String(),
  reference: Type.String({ description: 'Where the table of its bands comes from.' }),
  bands: Type.Array(
    Type.Object({
      name: Type.String(),
      common_name: Nullable(Type.String()),
      wavelength_um: Nullable(Type.Number()),
      center_wavelength_nm: Type.Number(),
      bandwidth_nm: Type.Number(),
      resolution_m: Type.Number(),
    }),
  ),
})

export type AnalyticsSensor = Static<typeof AnalyticsSensor>

/** A raster that an analysis wrote, a cloud-optimized GeoTIFF: it can be downloaded until it expires. */
export const AnalyticsRaster = Type.Object({
  id: Uuid,
  url: Type.String({ description: 'Signed URL, which serves ranges.' }),
  media_type: Type.String(),
  size_bytes: Count,
  checksum_sha256: Type.String(),
  expires_at: Timestamp,
})

export type AnalyticsRaster = Static<typeof AnalyticsRaster>

/** Statistics of a part of a raster; the image is base64, and like the raster only present if it was requested. */
export const RasterAnalysisResult = Type.Object({
  expression: Type.String(),
  statistics: BandStatistics,
  bounds: Type.Array(Type.Number()),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  approximate: Type.Boolean(),
  image: Nullable(Type.Object({ media_type: Type.String(), base64: Type.String() })),
  raster: Nullable(AnalyticsRaster),
})
