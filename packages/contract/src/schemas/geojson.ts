import Type, { type Static } from 'typebox'

/** Longitude, latitude and an optional height. The schema does not check closed rings or crossing edges. */
export const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 4 })

const positions = Type.Array(Position)
const rings = Type.Array(positions)

/** Foreign members are allowed (RFC 7946, section 6.1). */
const geometrySchema = <T extends string, C extends Type.TSchema>(type: T, coordinates: C) =>
  Type.Object({ type: Type.Literal(type), coordinates })

export const Point = geometrySchema('Point', Position)
export const MultiPoint = geometrySchema('MultiPoint', positions)
export const LineString = geometrySchema('LineString', positions)
export const MultiLineString = geometrySchema('MultiLineString', rings)
export const Polygon = geometrySchema('Polygon', rings)
export const MultiPolygon = geometrySchema('MultiPolygon', Type.Array(rings))

const simpleGeometries = [Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon] as const

export const GeometryCollection = Type.Object({
  type: Type.Literal('GeometryCollection'),
  geometries: Type.Array(Type.Union([...simpleGeometries])),
})

/** Any geometry of RFC 7946; a GeometryCollection contains no other collection. */
export const Geometry = Type.Union([...simpleGeometries, GeometryCollection])

/** The geometry of an area of interest. */
export const Area = Type.Union([Polygon, MultiPolygon])

export const Feature = Type.Object({
  type: Type.Literal('Feature'),
  id: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  geometry: Type.Union([Geometry, Type.Null()]),
  properties: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
})

export const FeatureCollection = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(Feature),
})

export type Position = Static<typeof Position>
export type Point = Static<typeof Point>
export type Polygon = Static<typeof Polygon>
export type MultiPolygon = Static<typeof MultiPolygon>
export type Geometry = Static<typeof Geometry>
export type Area = Static<typeof Area>
export type Feature = Static<typeof Feature>
export type FeatureCollection = Static<typeof FeatureCollection>
