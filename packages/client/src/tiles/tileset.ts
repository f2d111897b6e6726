import type { Client } from '../client.ts'
import type { InputOf, TileJson } from '../operations.ts'

/** Tiles that a map can show. */
export interface Tileset {
  readonly kind: 'raster' | 'vector'
  readonly name: string
  /** URL with `{z}`, `{x}` and `{y}`, without a tile token (`TileKey`). */
  readonly template: string
  /** West, south, east and north, in degrees. */
  readonly bounds: readonly [number, number, number, number]
  readonly minzoom: number
  readonly maxzoom: number
  /** Pixels for each CSS pixel: an image of 2 has 512 pixels and is shown on 256. */
  readonly scale: 1 | 2
  readonly attribution: string
  /** The names of the layers of vector tiles. */
  readonly layers: readonly string[]
}

/** How the images of an item are rendered; the names are those of `items.tile.render`. */
export interface TileRendering extends Partial<
  Pick<
    InputOf<'items.tile.render'>,
    'profile' | 'asset_key' | 'expression' | 'bands' | 'rescale' | 'colormap' | 'gamma' | 'stretch' | 'color_formula'
  >
> {
  /** Default `webp`. */
  readonly format?: 'png' | 'jpeg' | 'webp'
  /** 2 for screens of high density; default 1. */
  readonly scale?: 1 | 2
}

/** The tiles of an item: images, or features of a vector item. */
export async function readItemTiles(client: Client, item_id: string, style: TileRendering = {}): Promise<Tileset> {
  const { profile, asset_key, format = 'webp', scale = 1 } = style
  const tilejson = await client.call('items.tile.tilejson', { item_id, profile, asset_key, format })
  const tileset = toTileset(tilejson)
  if (tileset.kind === 'vector') return tileset
  const { format: _, scale: __, ...parameters } = style
  const template = scale === 2 ? tileset.template.replace('{y}.', '{y}@2x.') : tileset.template
  return { ...tileset, scale, template: withParameters(template, parameters) }
}

/** The tiles of the items of a collection, newest first: one tileset each, because a tile token of a collection serves its items. */
export async function readCollectionTiles(
  client: Client,
  collection_id: string,
  { limit = 20, ...style }: TileRendering & { readonly limit?: number } = {},
): Promise<Tileset[]> {
  const { items } = await client.call('items.list_by_collection', { collection_id, limit })
  return Promise.all(items.map(({ id }) => readItemTiles(client, id, style)))
}

/** The tiles of the mosaics that a clip, or another job, has made: one tileset for each; empty until it has completed. */
export async function readJobTiles(client: Client, job_id: string): Promise<Tileset[]> {
  const { tile_info: info } = await client.call('processing.job.tile_info', { job_id })
  return info.tiles.map((template, index) => ({
    kind: 'raster',
    name: info.item_ids[index] ?? job_id,
    template,
    bounds: toBounds(info.bounds ?? world),
    minzoom: info.minzoom ?? 0,
    maxzoom: info.maxzoom ?? default_maxzoom,
    scale: 1,
    attribution: '',
    layers: [],
  }))
}

/**
 * The tiles of a share link, for visitors: the newest image on top. The URL has a token of a session, which expires within hours;
 * the tiles are read again then.
 */
export async function readShareTiles(
  client: Client,
  link: { readonly token: string; readonly password?: string; readonly profile?: string },
): Promise<Tileset> {
  return toTileset(await client.call('share.tilejson', link))
}

const default_maxzoom = 22
const world = [-180, -85.051129, 180, 85.051129]

/** A tileset of a TileJSON of the platform. */
export function toTileset({ tiles, name, bounds, minzoom, maxzoom, attribution, vector_layers }: TileJson): Tileset {
  const layers = vector_layers?.map(({ id }) => id) ?? []
  return {
    kind: layers.length > 0 ? 'vector' : 'raster',
    name,
    template: tiles[0] ?? '',
    bounds: toBounds(bounds),
    minzoom,
    maxzoom,
    scale: 1,
    attribution: attribution ?? '',
    layers,
  }
}

const toBounds = ([west = -180, south = -90, east = 180, north = 90]: readonly number[]): Tileset['bounds'] => [
  west,
  south,
  east,
  north,
]

/** Sets parameters of the query of a template; the braces of the template would not survive `URL`. */
export function withParameters(template: string, parameters: Readonly<Record<string, unknown>>): string {
  const [path = '', query = ''] = template.split('?', 2)
  const merged = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && value !== '') merged.set(name, String(value))
  const text = merged.toString()
  return text === '' ? path : `${path}?${text}`
}
