import Type, { type Static } from 'typebox'
import { Nullable } from './primitives.ts'

/** A layer of vector tiles; its fields are `Number`, `Boolean` or `String`. */
const VectorLayer = Type.Object({
  id: Type.String(),
  fields: Type.Record(Type.String(), Type.String()),
  minzoom: Type.Integer({ minimum: 0 }),
  maxzoom: Type.Integer({ minimum: 0 }),
})

const LegendClass = Type.Object({
  value: Type.Number(),
  name: Nullable(Type.String()),
  color: Type.String({ description: '`#rrggbb`.' }),
})

/** An extension: what the colours of the tiles mean, where the item itself determines them. */
const Legend = Type.Object(
  {
    title: Type.String(),
    colormap: Nullable(Type.String({ description: 'The name of a colormap; null for classes.' })),
    range: Nullable(
      Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'The values at the ends of the colormap.' }),
    ),
    classes: Nullable(Type.Array(LegendClass)),
  },
  { description: 'The colours of a known index or of classes, in which the item opens.' },
)

/** TileJSON 3.0.0; bounds and zoom levels are those of the image. */
export const TileJson = Type.Object({
  tilejson: Type.Literal('3.0.0'),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  attribution: Type.Optional(Type.String()),
  scheme: Type.Literal('xyz'),
  tiles: Type.Array(Type.String(), { minItems: 1 }),
  minzoom: Type.Integer({ minimum: 0 }),
  maxzoom: Type.Integer({ minimum: 0 }),
  bounds: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
  center: Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }),
  legend: Type.Optional(Legend),
  vector_layers: Type.Optional(Type.Array(VectorLayer, { description: 'Layers of vector tiles.' })),
})

export type TileJson = Static<typeof TileJson>
