import Type from 'typebox'
import { operation } from '../operation.ts'
import { ImageBytes } from '../schemas/response-bodies.ts'
import { WithDefault, WithDescription, StrictObject, Nullable, Uuid } from '../schemas/primitives.ts'
import {
  approximate,
  AssetKey,
  renderParameters,
  ImageFormat,
  latitude,
  longitude,
  bandFields,
  ImageDimension,
  pixelReadProblems,
  ProfileReference,
  Quality,
} from '../schemas/rendering.ts'

/** What to read: an expression, bands, or those of a profile; defaults to every band. */
const bandSelection = {
  profile: ProfileReference,
  asset_key: AssetKey,
  expression: renderParameters.expression,
  bands: renderParameters.bands,
}

export const itemsTilePointOperation = operation({
  id: 'items.tile.point',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the pixel values of an item at a position, of every band or of an expression.',
  input: StrictObject({
    item_id: Uuid,
    lon: longitude,
    lat: latitude,
    ...bandSelection,
    scaled: WithDefault(Type.Boolean({ description: 'Apply the scale and offset of the bands.' }), false),
  }),
  output: Type.Object({
    lon: Type.Number(),
    lat: Type.Number(),
    values: Type.Array(
      Type.Object({
        ...bandFields,
        value: Nullable(Type.Number({ description: 'Null if the pixel has no data.' })),
        unit: Nullable(Type.String({ description: 'Unit of the scaled value, if the file has it.' })),
      }),
    ),
  }),
  problems: pixelReadProblems,
  extension: true,
  implemented: true,
})

/** Longitude and latitude of each vertex. */
const LineCoordinates = Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
  minItems: 2,
  maxItems: 100,
  description: 'Longitude and latitude of each vertex of the line.',
})

export const itemsTileLineOperation = operation({
  id: 'items.tile.line',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the pixel values of an item along a line, of every band or of an expression.',
  input: StrictObject({
    item_id: Uuid,
    coordinates: LineCoordinates,
    samples: WithDefault(
      Type.Integer({ minimum: 2, maximum: 256, description: 'Number of positions, at equal distances.' }),
      128,
    ),
    ...bandSelection,
    scaled: WithDefault(Type.Boolean({ description: 'Apply the scale and offset of the bands.' }), false),
  }),
  output: Type.Object({
    length_m: Type.Number({ description: 'Length of the line on the ellipsoid.' }),
    positions: Type.Array(Type.Object({ lon: Type.Number(), lat: Type.Number(), distance_m: Type.Number() }), {
      description: 'Positions with their distance from the start.',
    }),
    values: Type.Array(
      Type.Object({
        ...bandFields,
        unit: Nullable(Type.String({ description: 'Unit of the scaled values, if the file has it.' })),
        values: Type.Array(Nullable(Type.Number()), {
          description: 'The value at each position; null outside the image and without data.',
        }),
      }),
    ),
  }),
  problems: pixelReadProblems,
  extension: true,
  implemented: true,
})

export const itemsTilePreviewOperation = operation({
  id: 'items.tile.preview',
  scope: 'items:read',
  effect: 'read',
  summary: 'Render a preview image of an item in its own projection.',
  input: StrictObject({
    item_id: Uuid,
    width: WithDefault(ImageDimension, 512),
    height: WithDefault(ImageDimension, 512),
    format: WithDefault(ImageFormat, 'png'),
    profile: ProfileReference,
    asset_key: AssetKey,
    ...renderParameters,
    quality: Quality(85),
  }),
  output: ImageBytes,
  response_kind: 'bytes',
  problems: pixelReadProblems,
  extension: true,
  implemented: true,
})

export const itemsTileHistogramOperation = operation({
  id: 'items.tile.histogram',
  scope: 'items:read',
  effect: 'read',
  summary: 'Compute histograms of an item, of every band or of an expression.',
  input: StrictObject({
    item_id: Uuid,
    ...bandSelection,
    bins: WithDefault(Type.Integer({ minimum: 1, maximum: 1024, description: 'Number of bins of equal width.' }), 256),
    range: WithDescription(
      'Lower and upper edge; defaults to the minimum and maximum value.',
      Type.Optional(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    ),
  }),
  output: Type.Object({
    histograms: Type.Array(
      Type.Object({
        ...bandFields,
        counts: Type.Array(Type.Integer({ minimum: 0 })),
        edges: Type.Array(Type.Number({ description: 'Bin edges; one more than counts.' })),
      }),
    ),
    approximate,
  }),
  problems: pixelReadProblems,
  extension: true,
  implemented: true,
})
