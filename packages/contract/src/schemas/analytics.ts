import Type from 'typebox'
import { Nullable, AnyObject } from './primitives.ts'
import { BandStatistics } from './rendering.ts'

/** A method of `analytics.execute`; `params_schema` is the JSON Schema of its parameters. */
export const AnalyticsMethod = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  data_types: Type.Array(Type.String()),
  params_schema: AnyObject,
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
})

/** A sensor with the common names of its bands, in the order of its files. */
export const AnalyticsSensor = Type.Object({
  name: Type.String(),
  title: Type.String(),
  bands: Type.Array(
    Type.Object({ name: Type.String(), common_name: Nullable(Type.String()), wavelength_um: Nullable(Type.Number()) }),
  ),
})

/** Statistics of a raster; the image is base64 and present if one was requested. */
export const RasterAnalysisResult = Type.Object({
  expression: Type.String(),
  statistics: BandStatistics,
  bounds: Type.Array(Type.Number()),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  approximate: Type.Boolean(),
  image: Nullable(Type.Object({ media_type: Type.String(), base64: Type.String() })),
})
