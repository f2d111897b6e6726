import {
  type LayerSpecification,
  type Map as MapLibreMap,
  type SourceSpecification,
  type StyleSpecification,
  addProtocol,
} from 'maplibre-gl'
import { watchChosenMap } from './base-map-control.ts'
import { type BaseMapChoice, type BasePicture, markBase, readChosenMap, replaceBase, serverMap } from './base-maps.ts'
import { createBaseStyle, resolveColour } from './base-style.ts'
import type { MapView } from '../map-view.ts'
import { addShaderPrograms } from '../shader-programs.ts'
import { fetchJson } from '../../session/fetch-json.ts'
import { tileProtocol } from '../platform-tiles.ts'

/** The style of a base map. Rejects if its URL does not answer with one. */
async function loadBaseStyle({ url, pictures }: BaseMapChoice): Promise<StyleSpecification> {
  if (pictures) return addPictureLayers(createBaseStyle(), pictures)
  if (url === null) return createBaseStyle()
  if (url.includes('{z}')) return createRasterStyle({ tiles: [url] })
  if (/\.pmtiles(?:$|\?)/.test(url)) return createArchiveStyle(new URL(url, location.origin).href)
  const document = await fetchJson(url)
  if ('version' in document && 'layers' in document) return document as unknown as StyleSpecification
  if ('tiles' in document) return createRasterStyle(document as { tiles: string[]; maxzoom?: number })
  throw new Error('The base map is neither a style nor TileJSON.')
}

/** The names of the map stay above the pictures. */
function addPictureLayers(style: StyleSpecification, pictures: readonly BasePicture[]): StyleSpecification {
  const firstName = style.layers.findIndex(({ type }) => type === 'symbol')
  const ids = pictures.map((_, index) => `base-picture-${index}`)
  const sources = pictures.map(({ tiles, bounds, minzoom, maxzoom }): SourceSpecification => ({
    type: 'raster',
    tiles: [`${tileProtocol}://${tiles}`],
    tileSize: 256,
    bounds: [...bounds],
    minzoom,
    maxzoom,
  }))
  return {
    ...style,
    sources: { ...style.sources, ...Object.fromEntries(ids.map((id, index) => [id, sources[index]!])) },
    layers: style.layers.toSpliced(firstName, 0, ...ids.map((id) => ({ id, type: 'raster' as const, source: id }))),
  }
}

interface RasterTiles {
  readonly tiles: string[]
  readonly minzoom?: number
  readonly maxzoom?: number
  readonly attribution?: string
}

const createRasterStyle = ({ tiles, minzoom = 0, maxzoom = 22, attribution }: RasterTiles): StyleSpecification =>
  createRasterStyleOf({
    type: 'raster',
    tiles,
    tileSize: 256,
    minzoom,
    maxzoom,
    ...(attribution ? { attribution } : {}),
  })

const createRasterStyleOf = (source: SourceSpecification): StyleSpecification => ({
  version: 8,
  sources: { base: source },
  layers: [
    { id: 'base-background', type: 'background', paint: { 'background-color': resolveColour('--map-water') } },
    { id: 'base', type: 'raster', source: 'base' },
  ],
})

/** A file of tiles that is read by ranges. The library is loaded only for it. */
async function createArchiveStyle(url: string): Promise<StyleSpecification> {
  const { PMTiles, Protocol, TileType } = await import('pmtiles')
  // With the metadata, for the attribution of the archive.
  const protocol = new Protocol({ metadata: true })
  addProtocol('pmtiles', protocol.tile)
  const archive = new PMTiles(url)
  protocol.add(archive)
  const { tileType } = await archive.getHeader()
  const metadata = (await archive.getMetadata()) as { readonly vector_layers?: readonly { readonly id: string }[] }
  if (tileType !== TileType.Mvt) return createRasterStyleOf({ type: 'raster', url: `pmtiles://${url}`, tileSize: 256 })
  return createVectorStyle(
    { type: 'vector', url: `pmtiles://${url}` },
    (metadata.vector_layers ?? []).map(({ id }) => id),
  )
}

/** Vector tiles without a style: the areas, lines and names of every layer, in the colours of the map. */
function createVectorStyle(source: SourceSpecification, names: readonly string[]): StyleSpecification {
  const [water, land, line, label, halo] = ['water', 'land', 'border', 'label', 'halo'].map((name) => resolveColour(`--map-${name}`)) // prettier-ignore
  const isWater = (name: string): boolean => /water|ocean|sea|lake/i.test(name)
  const of = (name: string) => ({ source: 'base', 'source-layer': name })
  return {
    version: 8,
    sources: { base: source },
    layers: [
      { id: 'base-background', type: 'background', paint: { 'background-color': land! } },
      ...names.map((name): LayerSpecification => ({ id: `base-${name}-area`, type: 'fill', ...of(name), filter: ['==', ['geometry-type'], 'Polygon'], paint: { 'fill-color': isWater(name) ? water! : line!, 'fill-opacity': isWater(name) ? 1 : 0.12 } })), // prettier-ignore
      ...names.map((name): LayerSpecification => ({ id: `base-${name}-line`, type: 'line', ...of(name), filter: ['==', ['geometry-type'], 'LineString'], paint: { 'line-color': isWater(name) ? water! : line!, 'line-width': 0.8 } })), // prettier-ignore
      ...names.map((name): LayerSpecification => ({ id: `base-${name}-name`, type: 'symbol', ...of(name), filter: ['==', ['geometry-type'], 'Point'], layout: { 'text-field': ['coalesce', ['get', 'name'], ''], 'text-font': ['Inter Variable'], 'text-size': 11 }, paint: { 'text-color': label!, 'text-halo-color': halo!, 'text-halo-width': 1 } })), // prettier-ignore
    ],
  }
}

/** The first style of a map: the map of the server, and nothing while another base map is loaded. */
export function createStartStyle(view: MapView | null): StyleSpecification {
  if (readChosenMap().id !== serverMap.id) return markBase({ version: 8, sources: {}, layers: [] })
  const style = createBaseStyle()
  return markBase(view ? addShaderPrograms(style, view) : style)
}

/** Draws the base map that was chosen, now and whenever another one is. Returns the function that ends it. */
export function followBaseMap(map: MapLibreMap): () => void {
  let shown = serverMap.id
  const show = async (): Promise<void> => {
    const chosen = readChosenMap()
    if (chosen.id === shown) return
    shown = chosen.id
    const style = await loadBaseStyle(chosen)
    // Another one was chosen, or the map was removed meanwhile.
    if (shown === chosen.id && map.style) map.setStyle(style, { transformStyle: replaceBase })
  }
  const showOrReport = (): void => void show().catch(reportError)
  showOrReport()
  return watchChosenMap(showOrReport)
}
