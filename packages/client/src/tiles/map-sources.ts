import type { TileKey } from './tile-key.ts'
import { withParameters, type Tileset } from './tileset.ts'

/** Tiles are shown on squares of 256 CSS pixels, whatever their scale. */
const tile_px = 256

/** The source of a tileset for MapLibre: `map.addSource(id, mapLibreSource(tileset))`, with `mapLibreTransform` for the token. */
export function mapLibreSource({ kind, template, bounds, minzoom, maxzoom, attribution }: Tileset) {
  const common = {
    tiles: [template],
    bounds: [...bounds] as [number, number, number, number],
    minzoom,
    maxzoom,
    attribution,
  }
  return kind === 'raster'
    ? ({ type: 'raster', tileSize: tile_px, ...common } as const)
    : ({ type: 'vector', ...common } as const)
}

/** Layers of a source for MapLibre: the images; or areas, lines and points of each vector layer, in one colour. */
export function mapLibreLayers(source: string, { kind, layers }: Tileset, color = '#e4572e') {
  if (kind === 'raster') return [{ id: source, type: 'raster', source } as const]
  return layers.flatMap((layer) => {
    const common = { source, 'source-layer': layer }
    const filter = (type: 'Polygon' | 'LineString' | 'Point') => ['==', ['geometry-type'], type] as ['==', ['geometry-type'], string] // prettier-ignore
    return [
      { id: `${source}-${layer}-area`, type: 'fill', ...common, filter: filter('Polygon'), paint: { 'fill-color': color, 'fill-opacity': 0.3 } } as const, // prettier-ignore
      { id: `${source}-${layer}-line`, type: 'line', ...common, filter: ['!=', ['geometry-type'], 'Point'] as ['!=', ['geometry-type'], string], paint: { 'line-color': color, 'line-width': 1.5 } } as const, // prettier-ignore
      { id: `${source}-${layer}-point`, type: 'circle', ...common, filter: filter('Point'), paint: { 'circle-color': color, 'circle-radius': 4 } } as const, // prettier-ignore
    ]
  })
}

/** Adds the token to the requests of tilesets: `new Map({ transformRequest: mapLibreTransform(key, [tileset]) })`. */
export function mapLibreTransform(key: TileKey, tilesets: readonly Tileset[]) {
  const prefixes = tilesets
    .map(({ template }) => template.slice(0, template.indexOf('{z}')))
    .filter((prefix) => prefix !== '')
  const addKey = (url: string, token: string): { url: string } => ({ url: withParameters(url, { key: token }) })
  return (url: string): { url: string } | Promise<{ url: string }> | undefined => {
    if (!prefixes.some((prefix) => url.startsWith(prefix))) return undefined
    const token = key.cached()
    return token === '' ? key.current().then((issued) => addKey(url, issued)) : addKey(url, token)
  }
}

const keyPlaceholder = '{key}'

/** The template with a placeholder for the token, which the libraries fill in for each tile. */
function templateWithKey({ template }: Tileset, key: TileKey | undefined): string {
  if (!key) return template
  return `${template}${template.includes('?') ? '&' : '?'}key=${keyPlaceholder}`
}

/**
 * A layer for Leaflet: `L.tileLayer(url, options)`. Leaflet waits for nothing: `await key.current()` before.
 */
export function leafletTiles(tileset: Tileset, key?: TileKey) {
  const { bounds, minzoom, maxzoom, attribution } = tileset
  const [west, south, east, north] = bounds
  return {
    url: templateWithKey(tileset, key),
    options: {
      tileSize: tile_px,
      bounds: [[south, west], [north, east]] as [[number, number], [number, number]], // prettier-ignore
      minZoom: minzoom,
      maxNativeZoom: maxzoom,
      attribution,
      ...(key ? { key: () => key.cached() } : {}),
    },
  }
}

const half_world_m = Math.PI * 6_378_137

/** A longitude and a latitude in the projection of the tiles (EPSG:3857), in metres. */
const toWebMercator = (lon: number, lat: number): [number, number] => [
  (lon / 180) * half_world_m,
  Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 6_378_137,
]

/** A source and the extent of its layer for OpenLayers: `new TileLayer({ extent, source: new XYZ(source) })`. `await key.current()` before. */
export function openLayersTiles(tileset: Tileset, key?: TileKey) {
  const { bounds, minzoom, maxzoom, attribution, scale, template } = tileset
  const [west, south, east, north] = bounds
  const fill = ([z, x, y]: readonly [number, number, number]): string =>
    withParameters(
      template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y)),
      key ? { key: key.cached() } : {},
    )
  return {
    extent: [...toWebMercator(west, south), ...toWebMercator(east, north)] as [number, number, number, number],
    source: {
      projection: 'EPSG:3857',
      tileUrlFunction: fill,
      tilePixelRatio: scale,
      minZoom: minzoom,
      maxZoom: maxzoom,
      attributions: attribution,
    },
  }
}

/**
 * Options for Cesium: `new UrlTemplateImageryProvider({ ...options, rectangle: Rectangle.fromDegrees(...degrees) })`.
 * `await key.current()` before.
 */
export function cesiumTiles(tileset: Tileset, key?: TileKey) {
  const { bounds, minzoom, maxzoom, attribution, scale } = tileset
  return {
    degrees: bounds,
    options: {
      url: templateWithKey(tileset, key),
      tileWidth: tile_px * scale,
      tileHeight: tile_px * scale,
      // The root of a low level has few tiles: a higher one would request all of it at once.
      minimumLevel: 0,
      maximumLevel: Math.max(minzoom, maxzoom),
      credit: attribution,
      ...(key ? { customTags: { key: () => key.cached() } } : {}),
    },
  }
}
