import { geoArea, geoBounds, geoEquirectangular, geoMercator, type GeoProjection } from 'd3-geo'
import type { Feature, FeatureCollection, Position } from 'geojson'
import type { ReportMapFeature } from './report-document.ts'
import type { PageBox } from './report-page.ts'

/** The projection of the features of a map into its box. */
export interface ReportMapView {
  readonly projection: GeoProjection
  readonly projection_name: string
  /** The box that the map fills: the whole width, but not the whole height for the Earth. */
  readonly box: PageBox
  /** The meridian of the left edge, which may be less than -180, and the extent of the width, in degrees. */
  readonly west: number
  readonly width_degrees: number
}

/** A wider map shows the whole Earth. */
const max_mercator_degrees = 300
/** A map of a small area shows at least this much around it, in degrees. */
const min_degrees = 0.02

/**
 * The feature with rings in the direction that the library expects: its polygons are on a sphere, so that a ring in the other
 * direction is the whole Earth but the area.
 */
export function rewindFeatureRings({ geometry }: ReportMapFeature): Feature {
  const asFeature = (shape: Feature['geometry']): Feature => ({ type: 'Feature', properties: {}, geometry: shape })
  const rewind = (rings: Position[][]): Position[][] =>
    geoArea({ type: 'Polygon', coordinates: rings.slice(0, 1) }) > 2 * Math.PI
      ? rings.map((ring) => ring.toReversed())
      : rings
  if (geometry.type === 'Polygon') return asFeature({ ...geometry, coordinates: rewind(geometry.coordinates) })
  if (geometry.type === 'MultiPolygon') return asFeature({ ...geometry, coordinates: geometry.coordinates.map(rewind) })
  return asFeature(geometry)
}

/**
 * A view of all features with a margin, centred on them so that the antimeridian is no edge: Mercator, or for most of
 * the Earth the whole of it in the equirectangular projection, since Mercator would leave a part of the box empty.
 */
export function fitReportMapView(box: PageBox, features: readonly Feature[]): ReportMapView {
  const all: FeatureCollection = { type: 'FeatureCollection', features: [...features] }
  const [[west, south], [east, north]] = geoBounds(all)
  const width = west <= east ? east - west : east - west + 360
  const longitude = west + width / 2
  const margin_x = Math.max(width * 0.2, min_degrees)
  const margin_y = Math.max((north - south) * 0.2, min_degrees)
  const corners: Feature = {
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'MultiPoint',
      coordinates: [
        [longitude - Math.min(width / 2 + margin_x, 179), Math.max(south - margin_y, -84)],
        [longitude + Math.min(width / 2 + margin_x, 179), Math.min(north + margin_y, 84)],
      ],
    },
  }
  const extent = toProjectionExtent(box)
  const projection = geoMercator().rotate([-longitude, 0]).precision(0.3).fitExtent(extent, corners).clipExtent(extent)
  const width_degrees = (box.width / projection.scale()) * (180 / Math.PI)
  if (width_degrees < max_mercator_degrees)
    return { projection, projection_name: 'Mercator', box, west: longitude - width_degrees / 2, width_degrees }
  return viewEarth(box, longitude)
}

/** The Earth is twice as wide as high in this projection. */
function viewEarth(box: PageBox, longitude: number): ReportMapView {
  const earth = { ...box, height: box.width / 2 }
  const projection = geoEquirectangular()
    .rotate([-longitude, 0])
    .precision(0.3)
    .scale(box.width / (2 * Math.PI))
    .translate([box.x + box.width / 2, box.y + earth.height / 2])
    .clipExtent(toProjectionExtent(earth))
  return { projection, projection_name: 'Equirectangular', box: earth, west: longitude - 180, width_degrees: 360 }
}

/** The corners of a box, as projections take them. */
export const toProjectionExtent = ({ x, y, width, height }: PageBox): [[number, number], [number, number]] => [
  [x, y],
  [x + width, y + height],
]
