import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl'

/** Reads a colour token of the page; MapLibre knows neither CSS variables nor OKLCH, so the browser resolves it to RGB. */
export function resolveColour(name: string): string {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d')!
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red} ${green} ${blue})`
}

const geojson = (name: string) => ({ type: 'geojson' as const, data: `/base-map/${name}.json`, tolerance: 0.5 })

/** The base map in the colours of the current theme. */
export function createBaseStyle(): StyleSpecification {
  const [water, land, hairline] = ['--map-water', '--map-land', '--hairline'].map(resolveColour)
  return {
    version: 8,
    projection: { type: 'mercator' },
    sources: { land: geojson('land'), borders: geojson('borders'), graticule: geojson('graticule') },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': water! } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land! } },
      {
        id: 'graticule',
        type: 'line',
        source: 'graticule',
        paint: { 'line-color': hairline!, 'line-opacity': 0.5, 'line-width': 0.5 },
      },
      { id: 'borders', type: 'line', source: 'borders', paint: { 'line-color': hairline!, 'line-width': 0.8 } },
    ],
  }
}

/** Gives a base map that is shown already the colours of the current theme. */
export function paintBase(map: MapLibreMap): void {
  for (const layer of createBaseStyle().layers)
    for (const [name, value] of Object.entries(layer.paint ?? {}))
      map.setPaintProperty(layer.id, name as Parameters<typeof map.setPaintProperty>[1], value)
}

/** The accent colour, for what is selected. */
export const accentColour = (): string => resolveColour('--accent')
