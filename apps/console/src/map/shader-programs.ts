import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { createFootprintLayers } from './footprint-style.ts'
import type { MapView } from './map-view.ts'

const source = 'shader-programs'
/** Of MapLibre's tiles, at zoom 0. */
const pixels_around_world = 512

/**
 * Adds a small shape for each layer of the style and of footprints, below everything, where nobody sees it. MapLibre
 * compiles a shader program when something is drawn with it for the first time, and the page waits then until the
 * graphics card has finished earlier work. With these shapes all programs are compiled for one frame, and the page
 * waits once.
 */
export function addShaderPrograms(style: StyleSpecification, view: MapView): StyleSpecification {
  const drawn = [...style.layers, ...createFootprintLayers('footprints', true)]
  return {
    ...style,
    // Before the others, because the first shapes that are loaded are drawn first.
    sources: { [source]: { type: 'geojson', data: createShapes(view), tolerance: 0 }, ...style.sources },
    layers: [...drawn.flatMap(drawShapes), ...style.layers],
  }
}

/** The layer, with the shapes instead of its features. */
function drawShapes(layer: LayerSpecification): LayerSpecification[] {
  if (!('source' in layer) || layer.type === 'raster') return []
  const { filter: _filter, minzoom: _minzoom, maxzoom: _maxzoom, 'source-layer': _layer, ...rest } = layer
  return [{ ...rest, id: `${source}-${layer.id}`, source } as LayerSpecification]
}

/** A triangle of some pixels and a point, in the middle of the view, because only features in the view are drawn. */
function createShapes({ lon, lat, zoom }: MapView): GeoJSON.FeatureCollection {
  const size = (4 * 360) / (pixels_around_world * 2 ** zoom)
  const ring = [
    [lon - size, lat - size],
    [lon + size, lat - size],
    [lon, lat + size],
    [lon - size, lat - size],
  ]
  const geometries: GeoJSON.Geometry[] = [
    { type: 'Polygon', coordinates: [ring] },
    { type: 'Point', coordinates: [lon, lat] },
  ]
  const properties = { name: '·', order: 0 }
  return {
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties, geometry })),
  }
}
