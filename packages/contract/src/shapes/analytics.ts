import Type from 'typebox'
import { Nullable, Open } from './primitives.ts'
import { BandStatistics } from './rendering.ts'

/** A method that `analytics.execute` knows; `params_schema` is what it accepts. */
export const AnalyticsMethod = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  data_types: Type.Array(Type.String()),
  params_schema: Open,
})

/** A well-known index with the bands it needs. */
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

/** A measured raster; the picture is base64 and present when one was asked for. */
export const RasterAnswer = Type.Object({
  expression: Type.String(),
  statistics: BandStatistics,
  bounds: Type.Array(Type.Number()),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  approximate: Type.Boolean(),
  image: Nullable(Type.Object({ media_type: Type.String(), base64: Type.String() })),
})
