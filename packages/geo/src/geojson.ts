/** Longitude and latitude in degrees; further numbers (a height) are permitted and ignored. */
export type Position = readonly [longitude: number, latitude: number, ...rest: number[]]
/** A closed ring: the last position repeats the first. */
export type Ring = readonly Position[]

export interface Polygon {
  readonly type: 'Polygon'
  /** The outer ring, then its holes. */
  readonly coordinates: readonly Ring[]
}

export interface MultiPolygon {
  readonly type: 'MultiPolygon'
  readonly coordinates: readonly (readonly Ring[])[]
}

export type AreaGeometry = Polygon | MultiPolygon

/** The polygons of a geometry as lists of rings. */
export function listPolygonRings(geometry: AreaGeometry): readonly (readonly Ring[])[] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}
