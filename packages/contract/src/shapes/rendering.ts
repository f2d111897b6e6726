import Type from 'typebox'
import { limits } from '../limits.ts'
import { Default, Described, Maybe, Nullable } from './primitives.ts'

const index = (description: string) => Type.Integer({ minimum: 0, maximum: 2 ** limits.zoom - 1, description })

/** The address of a tile in the web grid (EPSG:3857). Outside the level's own range is refused by the operation. */
export const tileAddress = {
  z: Type.Integer({ minimum: 0, maximum: limits.zoom, description: 'Zoom level.' }),
  x: index('Column, counted from the west.'),
  y: index('Row, counted from the north.'),
}

const text = (description: string, maxLength = 2000) => Maybe(Type.String({ maxLength, description }))

export const expression = text('Band arithmetic over `b1`, `b2` … or band names, such as `(b4-b3)/(b4+b3)`.')

/** How a picture is drawn from bands. */
export const drawing = {
  expression,
  bands: text('Band numbers or names, separated by commas, such as `4,3,2`.'),
  rescale: text('What is black and what is white, `0,3000`; one pair a band separated by `;`.'),
  colormap: text('The name of a colormap, or one as JSON text.', 100_000),
}

export const Profile = text('The id or name of a visualization profile of the item.', 200)
export const AssetKey = text('Which asset of the item; without it the first raster.', 200)
export const AreaText = text('A GeoJSON polygon as text; what lies outside is left transparent.', 1_000_000)

/** Ours: twice the pixels for screens that have them; in addresses `{y}@2x`. */
export const TileScale = Default(Type.Integer({ minimum: 1, maximum: 2, description: 'Of 256 pixels: 1 or 2.' }), 1)

export const ImageFormat = Type.Enum(['png', 'jpeg', 'jpg', 'webp'], { description: 'Of the picture.' })

export const QualityRange = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Of a format that loses detail.',
})

export const Quality = (value: number) => Default(QualityRange, value)

/** A side of a picture of the whole, which keeps its proportions and fits into it. */
export const PictureSide = Type.Integer({ minimum: 1, maximum: 4096, description: 'Pixels.' })

export const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east of Greenwich.' })
export const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north of the equator.' })

/** What a number was read from. */
export const measuredBand = {
  name: Type.String({ description: '`b1`, `b2` …, or the expression.' }),
  band_name: Nullable(Type.String({ description: 'What the band is called.' })),
}

export const TerrainEncoding = Type.Enum(['mapbox', 'terrarium'], {
  description: 'How heights become colours: of Mapbox Terrain-RGB, or of Terrarium.',
})

export const TerrainMissing = Type.Enum(['zero', 'transparent'], {
  description: 'What stands where nothing is known: a height of 0 metres, as maps expect, or nothing.',
})

export const CogUrl = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'The address of a GeoTIFF: an asset of ours, a signed address, or a public one.',
})

/** Statistics of one band or expression. */
export const BandStatistics = Type.Object({
  min: Nullable(Type.Number()),
  max: Nullable(Type.Number()),
  mean: Nullable(Type.Number()),
  std: Nullable(Type.Number()),
  median: Nullable(Type.Number()),
  count: Type.Integer({ minimum: 0, description: 'Pixels that have a value.' }),
  valid_percent: Type.Number(),
  percentiles: Described(
    'The value at each percentile, by its number as text.',
    Type.Record(Type.String(), Type.Number()),
  ),
  histogram: Type.Object({ counts: Type.Array(Type.Integer()), edges: Type.Array(Type.Number()) }),
})

export const approximate = Type.Boolean({ description: 'An overview was read in place of the full picture.' })

/** Why pixels of a file may not be read. `forbidden` and `upstream`: it lies on a server that we do not go to, or that failed. */
export const pixelProblems = [
  'not-found',
  'not-a-member',
  'gone-retention',
  'forbidden',
  'unsupported-raster',
  'budget-exceeded',
  'upstream',
] as const
