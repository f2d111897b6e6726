import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'

const toFeature = (geometry: GeoJSON.Geometry): GeoJSON.Feature => ({ type: 'Feature', properties: {}, geometry })

function middleOf(coordinates: unknown): GeoJSON.Point {
  const [west, south, east, north] = coordinateExtent(coordinates)
  return { type: 'Point', coordinates: [(west + east) / 2, (south + north) / 2] }
}

/** An area, and a point in the middle of each of its parts: MapLibre drops polygons that are smaller than a pixel. */
export function toAreaFeatures(area: GeoJSON.Geometry): GeoJSON.FeatureCollection {
  const parts = area.type === 'MultiPolygon' ? area.coordinates : 'coordinates' in area ? [area.coordinates] : []
  return { type: 'FeatureCollection', features: [area, ...parts.map(middleOf)].map(toFeature) }
}
