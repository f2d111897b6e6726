import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import { startServer } from '../../prove/harness/server-process.ts'
import type { TileAddress } from '../raster/tile-sets.ts'
import { existsSync } from 'node:fs'
import { resolveBeside, runProgram, startService, type ServiceProcess } from '../../prove/harness/programs.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'

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
}

/** Cache sizes of our server. */
export interface CacheSizes {
  readonly blocks_mib?: number
  readonly tiles_mib?: number
}

/** Our server with the embedded database; requests carry a tile token in the URL, as a map client does. */
export async function startOwnServer(
  folder: string,
  files: readonly string[],
  threads: number,
  cacheSizes: CacheSizes,
): Promise<TileContender & AsyncDisposable> {
  const server = await startServer(
    {
      SWATH_DATA_DIR: folder,
      RASTER_THREADS: String(threads),
      BENCH_FILES: JSON.stringify(files),
      ...(cacheSizes.blocks_mib === undefined ? {} : { RASTER_CACHE_MIB: String(cacheSizes.blocks_mib) }),
      ...(cacheSizes.tiles_mib === undefined ? {} : { TILE_CACHE_MIB: String(cacheSizes.tiles_mib) }),
    },
    resolveBeside(import.meta.url, './tile-app.ts'),
  )
  const items = JSON.parse(await readFile(join(folder, 'items.json'), 'utf8')) as Record<string, string>
  const tileTokens: Record<string, string> = {}
  for (const [name, item_id] of Object.entries(items)) tileTokens[name] = await createTileToken(server.client, item_id)
  return {
    url: server.url,
    createPath: ({ scene, format, ours }, [z, x, y]) =>
      `/api/v1/items/${items[scene]}/tiles/${z}/${x}/${y}.${format}?${ours}&key=${tileTokens[scene]}`,
    [Symbol.asyncDispose]: async () => void (await server.stop()),
  }
}

/** A token for the tiles of an item. */
export const createTileToken = async (client: Client, item_id: string): Promise<string> =>
  (await client.call<{ token: string }>('items.tile.token.create', { item_id })).token

/** titiler, reading the same files from the same disk. */
export const createTitilerContender = (url: string, scenePath: (scene: string) => string): TileContender => ({
  url,
  createPath: ({ scene, format, titiler }, [z, x, y]) =>
    `/cog/tiles/WebMercatorQuad/${z}/${x}/${y}.${format}?url=${encodeURIComponent(scenePath(scene))}&${titiler}`,
})

interface TitilerServer extends ServiceProcess {
  /** Versions of Python, titiler, its libraries and GDAL. */
  readonly versions: string
}

/** Settings of titiler's performance page, without those that slow local files down (the caches of `/vsicurl/`). */
const environment = {
  GDAL_CACHEMAX: '200',
  GDAL_DISABLE_READDIR_ON_OPEN: 'EMPTY_DIR',
  GDAL_INGESTED_BYTES_AT_OPEN: '32768',
  PYTHONWARNINGS: 'ignore',
}

/** Starts titiler under uvicorn with default settings; installs it into the folder if it is missing. */
export async function startTitiler(folder: string, workers: number): Promise<TitilerServer> {
  const python = join(folder, 'bin/python')
  if (!existsSync(python)) await runProgram('bash', [resolveBeside(import.meta.url, './install-titiler.sh'), folder])
  const port = await freePort()
  const serverArgs = ['-m', 'uvicorn', 'titiler.application.main:app', '--host', '127.0.0.1', '--port', String(port)]
  const logArgs = ['--workers', String(workers), '--no-access-log', '--log-level', 'error']
  const url = `http://127.0.0.1:${port}`
  const args = [...serverArgs, ...logArgs]
  const service = await startService({ program: python, args, environment, url: `${url}/healthz` })
  return { ...service, url, versions: (await runProgram(python, ['-c', printVersions])).join() }
}

const printVersions = `
import platform, rasterio
from importlib.metadata import version
names = ("titiler.core", "rio-tiler", "rasterio", "uvicorn")
print("Python", platform.python_version(), *(f"{name} {version(name)}" for name in names), "GDAL", rasterio.__gdal_version__)`
