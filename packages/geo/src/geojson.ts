/** Longitude and latitude in degrees; further numbers (a height) are allowed and passed over. */
export type Position = readonly [longitude: number, latitude: number, ...rest: number[]]
/** A closed line: the last position repeats the first. */
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
export function polygonsOf(geometry: AreaGeometry): readonly (readonly Ring[])[] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}

/** What is wrong with a geometry, in words for whoever sent it, and where: a path such as `coordinates[0][3]`. */
export interface GeometryFault {
  readonly reason: string
  readonly path: string
}

export interface GeometryLimits {
  readonly most_vertices: number
  readonly most_polygons: number
  readonly most_rings: number
}

export const DEFAULT_GEOMETRY_LIMITS: GeometryLimits = { most_vertices: 10_000, most_polygons: 500, most_rings: 1_000 }

type Checked = { readonly geometry: AreaGeometry; readonly fault: null } | { readonly geometry: null; readonly fault: GeometryFault }
