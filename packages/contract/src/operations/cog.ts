import Type from 'typebox'
import { operation } from '../operation.ts'
import { List } from '../paging.ts'
import { Bytes, Image } from '../shapes/answers.ts'
import { FormulaTemplate } from '../shapes/band-formula.ts'
import { Area } from '../shapes/geojson.ts'
import { Default, Described, Input, Maybe, NoInput } from '../shapes/primitives.ts'
import {
  approximate,
  AreaText,
  BandStatistics,
  CogUrl,
  drawing,
  expression,
  ImageFormat,
  PictureSide,
  pixelProblems,
  Quality,
  TerrainEncoding,
  TerrainMissing,
  tileAddress,
  TileScale,
} from '../shapes/rendering.ts'

const LegendSide = Type.Integer({
  minimum: 1,
  maximum: 2048,
  description: 'Size of the legend in pixels; if it is taller than wide, values increase upwards.',
})

export const cogTileRender = operation({
  id: 'cog.tile.render',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a tile of a GeoTIFF by its URL.',
  input: Input({
    url: CogUrl,
    ...tileAddress,
    format: ImageFormat,
    ...drawing,
    quality: Quality(85),
    aoi: AreaText,
    scale: TileScale,
  }),
  output: Image,
  answer: 'bytes',
  problems: pixelProblems,
  answered: true,
})

export const cogTileTerrain = operation({
  id: 'cog.tile.terrain',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a tile of an elevation model as terrain-RGB.',
  input: Input({
    url: CogUrl,
    ...tileAddress,
    invert: Default(Type.Boolean({ description: 'Invert the sign of the heights.' }), false),
    aoi: AreaText,
    encoding: Default(TerrainEncoding, 'mapbox'),
    missing: Default(TerrainMissing, 'zero'),
    scale: TileScale,
  }),
  output: Bytes(['image/png']),
  answer: 'bytes',
  problems: pixelProblems,
  answered: true,
})

export const cogStatistics = operation({
  id: 'cog.statistics',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Compute statistics of the bands of a GeoTIFF, or of an expression, within an area.',
  input: Input({
    url: CogUrl,
    geometry: Described('The area of the statistics.', Area),
    expression,
    bands: drawing.bands,
    percentiles: Default(
      Type.Array(Type.Number({ minimum: 0, maximum: 100 }), { maxItems: 100, description: 'Percentiles to compute.' }),
      [2, 98],
    ),
  }),
  output: Type.Object({
    statistics: Described('Keyed by `b1`, `b2` …, or by the expression.', Type.Record(Type.String(), BandStatistics)),
    approximate,
  }),
  problems: pixelProblems,
  answered: true,
})

export const cogThumbnail = operation({
  id: 'cog.thumbnail',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'Render a thumbnail of a GeoTIFF as JPEG.',
  input: Input({ url: CogUrl, width: Default(PictureSide, 256), height: Default(PictureSide, 256) }),
  output: Bytes(['image/jpeg']),
  answer: 'bytes',
  problems: pixelProblems,
  answered: true,
})

export const cogColormaps = operation({
  id: 'cog.colormaps',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the colormaps, or render one of them as a legend.',
  input: Input({
    format: Default(
      Type.Enum(['json', 'png'], { description: '`json`: the list; `png`: a legend of `name`.' }),
      'json',
    ),
    name: Maybe(
      Type.String({ maxLength: 100_000, description: 'The colormap of the legend: a name, or a colormap as JSON.' }),
    ),
    width: Default(LegendSide, 256),
    height: Default(LegendSide, 16),
  }),
  output: List(
    'colormaps',
    Type.Object({
      name: Type.String(),
      kind: Type.Enum(['sequential', 'diverging', 'cyclic', 'miscellaneous']),
      colors: Type.Array(
        Type.String({ description: 'A colour as `#rrggbb`; colours are evenly spaced from low to high.' }),
      ),
    }),
  ),
  alternatives: ['image/png'],
  answered: true,
})

export const cogFormulas = operation({
  id: 'cog.formulas',
  scope: 'tiles:read',
  effect: 'read',
  summary: 'List the formulas of the standard spectral indices.',
  input: NoInput,
  output: List('formulas', FormulaTemplate),
  answered: true,
})
