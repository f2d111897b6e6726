import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tokenSource } from '@swath/client/tokens.ts'
import { startServer } from '../../prove/server-process.ts'
import type { TileWords } from '../raster/tile-sets.ts'

/** One rendering for both servers: the same bands, rescaling and resampling in each server's query parameters. */
export interface TilePicture {
  readonly about: string
  readonly scene: string
  readonly format: 'png' | 'jpg'
  readonly ours: string
  readonly titiler: string
}

/** A tile server. */
export interface Side {
  readonly url: string
  pathOf(picture: TilePicture, tile: TileWords): string
  stop(): Promise<unknown>
}

/** Cache sizes of our server. */
export interface Keeping {
  readonly blocks_mib?: number
  readonly tiles_mib?: number
}

const login = { username: 'admin@example.com', password: 'bench bench bench' }

/** Our server with the embedded database; requests carry a tile token in the URL, as a map client does. */
export async function startHouse(
  folder: string,
  files: readonly string[],
  threads: number,
  keeping: Keeping,
): Promise<Side> {
  const house = await startServer(
    {
      SWATH_DATA_DIR: folder,
      PORT: '0',
      DATABASE_URL: '',
      SWATH_ADMIN_EMAIL: login.username,
      SWATH_ADMIN_PASSWORD: login.password,
      RASTER_THREADS: String(threads),
      BENCH_FILES: JSON.stringify(files),
      ...(keeping.blocks_mib === undefined ? {} : { RASTER_CACHE_MIB: String(keeping.blocks_mib) }),
      ...(keeping.tiles_mib === undefined ? {} : { TILE_CACHE_MIB: String(keeping.tiles_mib) }),
    },
    fileURLToPath(new URL('./house.ts', import.meta.url)),
  )
  const items = JSON.parse(await readFile(join(folder, 'items.json'), 'utf8')) as Record<string, string>
  const bearer = await tokenSource(house.url, login)()
  const keys: Record<string, string> = {}
  for (const [name, item_id] of Object.entries(items)) keys[name] = await keyFor(house.url, bearer, item_id)
  return {
    url: house.url,
    pathOf: ({ scene, format, ours }, [z, x, y]) =>
      `/api/v1/items/${items[scene]}/tiles/${z}/${x}/${y}.${format}?${ours}&key=${keys[scene]}`,
    stop: () => house.stop(),
  }
}

async function keyFor(url: string, bearer: string, item_id: string): Promise<string> {
  const answer = await fetch(`${url}/v1/op/items.tile.token.create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ item_id }),
  })
  if (answer.status !== 201) throw new Error(`no tile token: ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

/** titiler, reading the same files from the same disk. */
export const titilerSide = (url: string, pathOfScene: (scene: string) => string, stop: () => Promise<void>): Side => ({
  url,
  pathOf: ({ scene, format, titiler }, [z, x, y]) =>
    `/cog/tiles/WebMercatorQuad/${z}/${x}/${y}.${format}?url=${encodeURIComponent(pathOfScene(scene))}&${titiler}`,
  stop,
})
