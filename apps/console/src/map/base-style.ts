import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl'

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

const urlOf = (name: string): string => `/base-map/${name}.json`
const geojson = (url: string) => ({ type: 'geojson' as const, data: url, tolerance: 0.5 })

/** Natural Earth has the shapes at several scales; the small one is a tenth of the data and enough for the whole world. */
const scaledSources = ['land', 'lakes', 'borders'] as const
const fineZoom = 2.5
type Scale = '110m' | '50m'
const scaleAt = (zoom: number): Scale => (zoom < fineZoom ? '110m' : '50m')

const createSources = (scale: Scale): StyleSpecification['sources'] =>
  Object.fromEntries([
    ...scaledSources.map((name) => [name, geojson(urlOf(`${name}-${scale}`))]),
    ...['graticule', 'places'].map((name) => [name, geojson(urlOf(name))]),
  ])

/** Loads the finer shapes, once, when a map that began at this zoom is zoomed in; they stay. */
export function refineBase(map: MapLibreMap, zoom: number): void {
  if (scaleAt(zoom) === '50m') return
  const refine = (): void => {
    if (scaleAt(map.getZoom()) !== '50m') return
    map.off('zoom', refine)
    for (const name of scaledSources) void map.getSource<GeoJSONSource>(name)?.setData(urlOf(`${name}-50m`))
  }
  map.on('zoom', refine)
  refine()
}

/** The names that can be gone to, on a map of another style. */
export function addPlaces(map: MapLibreMap): void {
  map.addSource('places', geojson(urlOf('places')))
  // Only a source that is drawn is loaded.
  map.addLayer({ id: 'places', type: 'circle', source: 'places', paint: { 'circle-opacity': 0, 'circle-radius': 0 } })
}

/** Without glyphs of a server, MapLibre draws letters with the fonts of the page. */
const font = ['Inter Variable']

/** Names of countries or cities; those of a higher rank appear from a larger zoom on. */
const names = (
  kind: 'country' | 'city',
  size: number,
  colours: { text: string; halo: string },
): LayerSpecification => ({
  id: `names-${kind}`,
  type: 'symbol',
  source: 'places',
  minzoom: kind === 'country' ? 1.5 : 3,
  filter: ['all', ['==', ['get', 'kind'], kind], ['<=', ['get', 'rank'], ['-', ['zoom'], kind === 'country' ? 1 : 3]]],
  layout: {
    'text-field': ['get', 'name'],
    'text-font': font,
    'text-size': size,
    'text-max-width': 8,
    'symbol-sort-key': ['get', 'rank'],
  },
  paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1 },
})

/** The base map in the colours of the current theme, for a map that begins at this zoom. */
export function createBaseStyle(zoom: number): StyleSpecification {
  const [water, land, hairline, text] = ['--map-water', '--map-land', '--hairline', '--text-muted'].map(resolveColour)
  const colours = { text: text!, halo: land! }
  return {
    version: 8,
    projection: { type: 'mercator' },
    sources: createSources(scaleAt(zoom)),
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': water! } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land! } },
      { id: 'lakes', type: 'fill', source: 'lakes', paint: { 'fill-color': water! } },
      {
        id: 'graticule',
        type: 'line',
        source: 'graticule',
        paint: { 'line-color': hairline!, 'line-opacity': 0.5, 'line-width': 0.5 },
      },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': hairline!, 'line-width': 0.8 } },
      names('city', 11, colours),
      names('country', 12, colours),
    ],
  }
}

/** Gives a base map that is shown already the colours of the current theme. */
export function paintBase(map: MapLibreMap): void {
  for (const layer of createBaseStyle(map.getZoom()).layers)
    for (const [name, value] of Object.entries(layer.paint ?? {}))
      map.setPaintProperty(layer.id, name as Parameters<typeof map.setPaintProperty>[1], value)
}

/** The accent colour, for what is selected. */
export const accentColour = (): string => resolveColour('--accent')
