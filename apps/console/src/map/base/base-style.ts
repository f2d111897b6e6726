import type {
  ExpressionSpecification,
  LayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl'
import { archives } from './base-map-archives.ts'

/** Reads a colour token of the page; MapLibre knows neither CSS variables nor OKLCH, so the browser resolves it to RGB. */
export function resolveColour(name: string): string {
  const canvas = new OffscreenCanvas(1, 1)
  // Of a canvas on the graphics card, one pixel is read only after everything that the card has to do.
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red} ${green} ${blue})`
}

/** Of the sources; `packages/server/base-map/NOTICE.md` has their licences. */
const attribution =
  '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>, GeoNames, GSHHG, Natural Earth'

/** Tiles of the server; the hash in their URL lets the browser keep them. */
const tilesOf = (archive: string): [string] => [`${location.origin}/base-map/${archive}/{z}/{x}/{y}`]

/** Beyond the largest zoom level of the tiles, the map enlarges them. */
const createSources = (): StyleSpecification['sources'] => ({
  world: {
    type: 'vector',
    tiles: tilesOf(archives.world.name),
    maxzoom: archives.world.maxzoom,
    attribution,
  },
  relief: { type: 'raster', tiles: tilesOf(archives.relief.name), tileSize: 256, maxzoom: archives.relief.maxzoom },
})

/** Without glyphs of a server, MapLibre draws letters of all scripts with the fonts of the page. */
const font = ['Inter Variable']

const tokens = ['water', 'land', 'urban', 'river', 'coast', 'border', 'label', 'halo'] as const
type Colours = Readonly<Record<(typeof tokens)[number], string>>

const readColours = (): Colours =>
  Object.fromEntries(tokens.map((name) => [name, resolveColour(`--map-${name}`)])) as Colours

/** A value that changes with the zoom level, linearly between the stops. */
const byZoom = (...stops: readonly number[]): ExpressionSpecification =>
  ['interpolate', ['linear'], ['zoom'], ...stops] as ExpressionSpecification

const areas = (id: string, colour: string, opacity: number | ExpressionSpecification = 1): LayerSpecification => ({
  id,
  type: 'fill',
  source: 'world',
  'source-layer': id,
  paint: { 'fill-color': colour, 'fill-opacity': opacity },
})

const lines = (
  id: string,
  paint: { colour: string; width: ExpressionSpecification; opacity?: ExpressionSpecification; dashes?: number[] },
  layer = id,
): LayerSpecification => ({
  id,
  type: 'line',
  source: 'world',
  'source-layer': layer,
  layout: { 'line-join': 'round', 'line-cap': paint.dashes ? 'butt' : 'round' },
  paint: {
    'line-color': paint.colour,
    'line-width': paint.width,
    'line-opacity': paint.opacity ?? 1,
    ...(paint.dashes ? { 'line-dasharray': paint.dashes } : {}),
  },
})

/** Names of a layer of points; where not all fit, those of a smaller `order` are drawn. */
const names = (
  id: string,
  { label, halo }: Colours,
  layout: SymbolLayerSpecification['layout'],
  opacity: number | ExpressionSpecification = 1,
): SymbolLayerSpecification => ({
  id: `names-${id}`,
  type: 'symbol',
  source: 'world',
  'source-layer': id,
  layout: {
    'text-field': ['get', 'name'],
    'text-font': font,
    'text-max-width': 8,
    'text-padding': 4,
    'symbol-sort-key': ['get', 'order'],
    ...layout,
  },
  paint: { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.2, 'text-opacity': opacity },
})

/** Pixels at zoom 8 of the radius of a town of a thousand people: three thousand of them live on a square kilometre. */
const radius_of_thousand = 1.3
const radiusAt = (zoom: number): ExpressionSpecification => ['*', radius_of_thousand * 2 ** (zoom - 8), ['^', 2, ['/', ['-', 13, ['get', 'order']], 2]]] // prettier-ignore

/** The area that a town needs, as a disc: no source that may be copied has the outlines of towns. Close by it would hide harbours. */
const townAreas = ({ urban }: Colours): LayerSpecification => ({
  id: 'towns',
  type: 'circle',
  source: 'world',
  'source-layer': 'settlements',
  paint: {
    'circle-color': urban,
    'circle-blur': 0.5,
    'circle-opacity': byZoom(5, 0, 7, 1, 9, 1, 11, 0),
    'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 4, radiusAt(4), 14, radiusAt(14)],
  },
})

/** Larger towns have larger names, up to this `order`: it falls by one with each doubling of the population. */
const townSize: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 3, ['interpolate', ['linear'], ['get', 'order'], 0, 12, 8, 10], 10, ['interpolate', ['linear'], ['get', 'order'], 0, 19, 6, 15, 14, 11.5]] // prettier-ignore

/** Grays of the shadows and of the sunny sides, about those of the land. */
const reliefShades = { light: [0.72, 1], dark: [0.05, 0.45] } as const

const relief = (): LayerSpecification => {
  const [darkest, lightest] = reliefShades[document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light']
  return {
    id: 'relief',
    type: 'raster',
    source: 'relief',
    paint: {
      'raster-opacity': byZoom(0, 0.5, 6, 0.4, 8.5, 0),
      'raster-brightness-min': darkest,
      'raster-brightness-max': lightest,
      'raster-fade-duration': 0,
    },
  }
}

/** The base map in the colours of the current theme. */
export function createBaseStyle(): StyleSpecification {
  const colours = readColours()
  return {
    version: 8,
    projection: { type: 'mercator' },
    sources: createSources(),
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      areas('land', colours.land),
      townAreas(colours),
      relief(),
      areas('lakes', colours.water),
      areas('islands', colours.land),
      lines('rivers', { colour: colours.river, width: byZoom(3, 0.4, 8, 1.2, 12, 2.4) }),
      lines('coast', { colour: colours.coast, width: byZoom(1, 0.4, 8, 0.9, 12, 1.2) }, 'land'),
      lines('provinces', { colour: colours.border, width: byZoom(4, 0.4, 8, 0.9), opacity: byZoom(3.5, 0, 5, 0.7), dashes: [3, 2] }), // prettier-ignore
      lines('borders', { colour: colours.border, width: byZoom(1, 0.5, 6, 1.1, 10, 1.8) }),
      names('settlements', colours, { 'text-size': townSize }),
      names('regions', colours, { 'text-size': byZoom(5, 10, 8, 13), 'text-letter-spacing': 0.12, 'text-transform': 'uppercase' }, byZoom(4.5, 0, 5, 0.55, 8, 0.5, 9, 0)), // prettier-ignore
      names('countries', colours, { 'text-size': byZoom(1, 10, 5, 15), 'text-letter-spacing': 0.06 }, byZoom(5.5, 1, 7, 0)), // prettier-ignore
    ],
  }
}

/** Gives the map of the server, if it is shown, the colours of the current theme. */
export function paintBase(map: MapLibreMap): void {
  if (!map.getSource('world')) return
  for (const layer of createBaseStyle().layers) {
    for (const [name, value] of Object.entries(layer.paint ?? {}))
      map.setPaintProperty(layer.id, name as Parameters<typeof map.setPaintProperty>[1], value)
  }
}

/** The accent colour, for selected features. */
export const accentColour = (): string => resolveColour('--accent')
