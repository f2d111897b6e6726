import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { BytesBody, ImageBytesBody } from '../schemas/response-bodies.ts'
import { BandFormulaTemplate } from '../schemas/band-formula.ts'
import { Area } from '../schemas/geojson.ts'
import { WithDefault, WithDescription, StrictObject, OptionalNullable, EmptyInput } from '../schemas/primitives.ts'
import {
  approximateField,
  OptionalAreaText,
  BandStatistics,
  CogUrl,
  renderParameterFields,
  expressionField,
  ImageFormat,
  ImageDimension,
  pixelReadProblems,
  WithImageQualityDefault,
  TerrainEncoding,
  TerrainNodata,
  tileCoordinateFields,
  TileScale,
} from '../schemas/rendering.ts'

const LegendDimension = Type.Integer({
  minimum: 1,
  maximum: 2048,
  description: 'Size of the legend in pixels; if it is taller than wide, values increase upwards.',
})

export const cogTileRenderOperation = operation({
  id: 'cog.tile.render',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a tile of a GeoTIFF by its URL.',
  input: StrictObject({
    url: CogUrl,
    ...tileCoordinateFields,
    format: ImageFormat,
    ...renderParameterFields,
    quality: WithImageQualityDefault(85),
    aoi: OptionalAreaText,
    scale: TileScale,
  }),
  output: ImageBytesBody,
  response_kind: 'bytes',
  problems: pixelReadProblems,
})

export const cogTileTerrainOperation = operation({
  id: 'cog.tile.terrain',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a tile of an elevation model as terrain-RGB.',
  input: StrictObject({
    url: CogUrl,
    ...tileCoordinateFields,
    invert: WithDefault(Type.Boolean({ description: 'Invert the sign of the heights.' }), false),
    aoi: OptionalAreaText,
    encoding: WithDefault(TerrainEncoding, 'mapbox'),
    missing: WithDefault(TerrainNodata, 'zero'),
    scale: TileScale,
  }),
  output: BytesBody(['image/png']),
  response_kind: 'bytes',
  problems: pixelReadProblems,
})

export const cogStatisticsOperation = operation({
  id: 'cog.statistics',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Compute statistics of the bands of a GeoTIFF, or of an expression, within an area.',
  body_limit_bytes: null,
  input: StrictObject({
    url: CogUrl,
    geometry: WithDescription('The area of the statistics.', Area),
    expression: expressionField,
    bands: renderParameterFields.bands,
    percentiles: WithDefault(
      Type.Array(Type.Number({ minimum: 0, maximum: 100 }), { maxItems: 100, description: 'Percentiles to compute.' }),
      [2, 98],
    ),
  }),
  output: Type.Object({
    statistics: WithDescription(
      'Keyed by `b1`, `b2` …, or by the expression.',
      Type.Record(Type.String(), BandStatistics),
    ),
    approximate: approximateField,
  }),
  problems: pixelReadProblems,
})

export const cogThumbnailOperation = operation({
  id: 'cog.thumbnail',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a thumbnail of a GeoTIFF as JPEG.',
  input: StrictObject({
    url: CogUrl,
    width: WithDefault(ImageDimension, 256),
    height: WithDefault(ImageDimension, 256),
  }),
  output: BytesBody(['image/jpeg']),
  response_kind: 'bytes',
  problems: pixelReadProblems,
})

export const cogColormapsOperation = operation({
  id: 'cog.colormaps',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the colormaps, or render one of them as a legend.',
  input: StrictObject({
    format: WithDefault(
      Type.Enum(['json', 'png'], { description: '`json`: the list; `png`: a legend of `name`.' }),
      'json',
    ),
    name: OptionalNullable(
      Type.String({ maxLength: 100_000, description: 'The colormap of the legend: a name, or a colormap as JSON.' }),
    ),
    width: WithDefault(LegendDimension, 256),
    height: WithDefault(LegendDimension, 16),
  }),
  output: ListEnvelope(
    'colormaps',
    Type.Object({
      name: Type.String(),
      kind: Type.Enum(['sequential', 'diverging', 'cyclic', 'miscellaneous']),
      colors: Type.Array(
        Type.String({ description: 'A colour as `#rrggbb`; colours are evenly spaced from low to high.' }),
      ),
    }),
  ),
  alternative_media_types: ['image/png'],
})

export const cogFormulasOperation = operation({
  id: 'cog.formulas',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the formulas of the standard spectral indices.',
  input: EmptyInput,
  output: ListEnvelope('formulas', BandFormulaTemplate),
})
