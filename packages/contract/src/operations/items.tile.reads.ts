import Type from 'typebox'
import { operation } from '../operation.ts'
import { Image } from '../shapes/answers.ts'
import { Default, Described, Input, Nullable, Uuid } from '../shapes/primitives.ts'
import {
  approximate,
  AssetKey,
  drawing,
  ImageFormat,
  latitude,
  longitude,
  measuredBand,
  PictureSide,
  pixelProblems,
  Profile,
  Quality,
} from '../shapes/rendering.ts'

/** What to read: an expression, bands, or those of a profile; defaults to every band. */
const read = { profile: Profile, asset_key: AssetKey, expression: drawing.expression, bands: drawing.bands }

export const itemsTilePoint = operation({
  id: 'items.tile.point',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the pixel values of an item at a position, of every band or of an expression.',
  input: Input({
    item_id: Uuid,
    lon: longitude,
    lat: latitude,
    ...read,
    scaled: Default(Type.Boolean({ description: 'Apply the scale and offset of the bands.' }), false),
  }),
  output: Type.Object({
    lon: Type.Number(),
    lat: Type.Number(),
    values: Type.Array(
      Type.Object({
        ...measuredBand,
        value: Nullable(Type.Number({ description: 'Null if the pixel has no data.' })),
        unit: Nullable(Type.String({ description: 'Unit of the scaled value, if the file has it.' })),
      }),
    ),
  }),
  problems: pixelProblems,
  extension: true,
  answered: true,
})

export const itemsTilePreview = operation({
  id: 'items.tile.preview',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a preview image of an item in its own projection.',
  input: Input({
    item_id: Uuid,
    width: Default(PictureSide, 512),
    height: Default(PictureSide, 512),
    format: Default(ImageFormat, 'png'),
    profile: Profile,
    asset_key: AssetKey,
    ...drawing,
    quality: Quality(85),
  }),
  output: Image,
  answer: 'bytes',
  problems: pixelProblems,
  extension: true,
  answered: true,
})

export const itemsTileHistogram = operation({
  id: 'items.tile.histogram',
  scope: 'items:read',
  effect: 'read',
  summary: 'Compute histograms of an item, of every band or of an expression.',
  input: Input({
    item_id: Uuid,
    ...read,
    bins: Default(Type.Integer({ minimum: 1, maximum: 1024, description: 'Number of bins of equal width.' }), 256),
    range: Described(
      'Lower and upper edge; defaults to the minimum and maximum value.',
      Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    ),
  }),
  output: Type.Object({
    histograms: Type.Array(
      Type.Object({
        ...measuredBand,
        counts: Type.Array(Type.Integer({ minimum: 0 })),
        edges: Type.Array(Type.Number({ description: 'Bin edges; one more than counts.' })),
      }),
    ),
    approximate,
  }),
  problems: pixelProblems,
  extension: true,
  answered: true,
})
