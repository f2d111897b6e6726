import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTokenSource } from '@swath/client/tokens.ts'
import { startServer } from '../../prove/server-process.ts'
import type { TileAddress } from '../raster/tile-sets.ts'

/** One rendering for both servers: the same bands, rescaling and resampling in each server's query parameters. */
export interface BenchTileStyle {
  readonly description: string
  readonly scene: string
  readonly format: 'png' | 'jpg'
  readonly ours: string
  readonly titiler: string
}

/** A tile server. */
export interface TileContender {
  readonly url: string
  createPath(picture: BenchTileStyle, tile: TileAddress): string
  stop(): Promise<unknown>
}

/** Cache sizes of our server. */
export interface CacheSizes {
  readonly blocks_mib?: number
  readonly tiles_mib?: number
}

const login = { username: 'admin@example.com', password: 'bench bench bench' }

/** Our server with the embedded database; requests carry a tile token in the URL, as a map client does. */
export async function startOwnServer(
  folder: string,
  files: readonly string[],
  threads: number,
  cacheSizes: CacheSizes,
): Promise<TileContender> {
  const server = await startServer(
    {
      SWATH_DATA_DIR: folder,
      PORT: '0',
      DATABASE_URL: '',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
      RASTER_THREADS: String(threads),
      BENCH_FILES: JSON.stringify(files),
      ...(cacheSizes.blocks_mib === undefined ? {} : { RASTER_CACHE_MIB: String(cacheSizes.blocks_mib) }),
      ...(cacheSizes.tiles_mib === undefined ? {} : { TILE_CACHE_MIB: String(cacheSizes.tiles_mib) }),
    },
    fileURLToPath(new URL('./tile-app.ts', import.meta.url)),
  )
  const items = JSON.parse(await readFile(join(folder, 'items.json'), 'utf8')) as Record<string, string>
  const bearer = await createTokenSource(server.url, login)()
  const tileTokens: Record<string, string> = {}
  for (const [name, item_id] of Object.entries(items))
    tileTokens[name] = await createTileToken(server.url, bearer, item_id)
  return {
    url: server.url,
    createPath: ({ scene, format, ours }, [z, x, y]) =>
      `/api/v1/items/${items[scene]}/tiles/${z}/${x}/${y}.${format}?${ours}&key=${tileTokens[scene]}`,
    stop: () => server.stop(),
  }
}

/** A token for the tiles of an item. */
export async function createTileToken(url: string, bearer: string, item_id: string): Promise<string> {
  const response = await fetch(`${url}/v1/op/items.tile.token.create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ item_id }),
  })
  if (response.status !== 201) throw new Error(`no tile token: ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}

/** titiler, reading the same files from the same disk. */
export const createTitilerContender = (
  url: string,
  scenePath: (scene: string) => string,
  stop: () => Promise<void>,
): TileContender => ({
  url,
  createPath: ({ scene, format, titiler }, [z, x, y]) =>
    `/cog/tiles/WebMercatorQuad/${z}/${x}/${y}.${format}?url=${encodeURIComponent(scenePath(scene))}&${titiler}`,
  stop,
})
