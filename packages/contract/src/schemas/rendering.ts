import Type from 'typebox'
import { limits } from '../limits.ts'
import { WithDefault, WithDescription, OptionalNullable, Nullable } from './primitives.ts'

const tileIndex = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** limits.max_zoom - 1, description })

/** A tile of WebMercatorQuad (EPSG:3857). The operation rejects a row or column outside the zoom level. */
export const tileCoordinateFields = {
  z: Type.Integer({ minimum: 0, maximum: limits.max_zoom, description: 'Zoom level.' }),
  x: tileIndex('Column, counted from the west.'),
  y: tileIndex('Row, counted from the north.'),
}

const optionalString = (description: string, maxLength = 2000) =>
  OptionalNullable(Type.String({ maxLength, description }))

export const expressionField = optionalString(
  'Band arithmetic over `b1`, `b2` … or band names, such as `(b4-b3)/(b4+b3)`.',
)

/** Rendering parameters. */
export const renderParameterFields = {
  expression: expressionField,
  bands: optionalString('Band numbers or names, separated by commas, such as `4,3,2`.'),
  rescale: optionalString(
    'Range of values that is stretched to 0-255, such as `0,3000`; one pair per band, separated by `;`.',
  ),
  colormap: optionalString('The name of a colormap, or a colormap as JSON.', 100_000),
  gamma: OptionalNullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 20,
      description: 'Above 1 brightens the middle of the range: its part of the range is raised to 1/gamma. Default 1.',
    }),
  ),
  stretch: OptionalNullable(
    Type.Enum(['natural', 'linear'], {
      description:
        'How values become shades: `natural` lifts the shadows of three bands and rolls off their highlights, `linear` is in proportion, from 2 % to 98 % of the pixels without `rescale`. Default: natural for true colour without `rescale`; a single band of a known index or of classes has its own colours unless this is given.',
    }),
  ),
  color_formula: optionalString(
    'Colour operations on the stretched image as in rio-tiler, such as `gamma RGB 1.2 saturation 1.3 sigmoidal RGB 6 0.35`.',
    200,
  ),
}

export const VisualizationProfileReference = optionalString(
  'The id or name of a visualization profile of the item.',
  200,
)
export const AssetKey = optionalString('Key of the asset; defaults to the first raster of the item.', 200)
export const OptionalAreaText = optionalString('A GeoJSON polygon as text; pixels outside are transparent.', 1_000_000)

/** An extension: tiles for high-density screens; `{y}@2x` in URLs. */
export const TileScale = WithDefault(
  Type.Integer({ minimum: 1, maximum: 2, description: 'Tile size: 1 for 256 pixels, 2 for 512.' }),
  1,
)

export const ImageFormat = Type.Enum(['png', 'jpeg', 'jpg', 'webp'], { description: 'Image format.' })

export const ImageQualityRange = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Quality of a lossy format.',
})

export const WithImageQualityDefault = (value: number) => WithDefault(ImageQualityRange, value)

/** Largest width or height of an image, which keeps its aspect ratio. */
export const ImageDimension = Type.Integer({ minimum: 1, maximum: 4096, description: 'Pixels.' })

export const longitudeField = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east of Greenwich.' })
export const latitudeField = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north of the equator.' })

/** The band or expression of a value. */
export const bandFieldsOfValue = {
  name: Type.String({ description: '`b1`, `b2` …, or the expression.' }),
  band_name: Nullable(Type.String({ description: 'The name of the band.' })),
}

export const TerrainEncoding = Type.Enum(['mapbox', 'terrarium'], {
  description: 'Encoding of heights as colours: Mapbox Terrain-RGB or Terrarium.',
})

export const TerrainNodata = Type.Enum(['zero', 'transparent'], {
  description: 'Pixels without data: a height of 0 metres, as map clients expect, or transparent.',
})

export const CogUrl = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'URL of a GeoTIFF: of an asset of this platform, a signed URL, or a public one.',
})

/** Statistics of one band or expression. */
export const BandStatistics = Type.Object({
  min: Nullable(Type.Number()),
  max: Nullable(Type.Number()),
  mean: Nullable(Type.Number()),
  std: Nullable(Type.Number()),
  median: Nullable(Type.Number()),
  count: Type.Integer({ minimum: 0, description: 'Number of pixels with a value.' }),
  valid_percent: Type.Number(),
  percentiles: WithDescription('Percentile, as text, to value.', Type.Record(Type.String(), Type.Number())),
  histogram: Type.Object({ counts: Type.Array(Type.Integer()), edges: Type.Array(Type.Number()) }),
})

export const approximateField = Type.Boolean({
  description: 'True if an overview was read instead of the full resolution.',
})

/** Problems of reading pixels. `forbidden`, `upstream`: the file is on a server that is not permitted, or that failed. */
export const pixelReadProblems = [
  'not-found',
  'not-a-member',
  'gone-retention',
  'forbidden',
  'unsupported-raster',
  'budget-exceeded',
  'upstream',
] as const
