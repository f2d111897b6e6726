import { existsSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Compression, PMTiles, type RangeResponse, type Source } from 'pmtiles'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** A pyramid of tiles in one file. */
export interface TileArchive {
  /** The tile as it is stored: vector tiles with Brotli. Null if it has nothing in it. */
  readTile(z: number, x: number, y: number): Promise<Buffer | null>
  /** The largest zoom level of the pyramid. */
  readMaxzoom(): Promise<number>
}

/** Files of the base map, with a hash of their content in their name. */
const archiveName = /^[a-z]+-[0-9a-f]{16}\.pmtiles$/

/** The names of the archives in a folder, without their ending; none without the folder. */
export const listTileArchives = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => archiveName.test(name))
        .map((name) => basename(name, '.pmtiles'))
    : []

/** Opens an archive at the first tile. The file stays open as long as the process. */
export function openTileArchive(file: string): TileArchive {
  const archive = new PMTiles(createSource(file), undefined, decompress)
  return {
    readTile: async (z, x, y) => {
      const tile = await archive.getZxy(z, x, y)
      return tile ? Buffer.from(tile.data) : null
    },
    readMaxzoom: async () => (await archive.getHeader()).maxZoom,
  }
}

function createSource(file: string): Source {
  let handle: ReturnType<typeof open> | undefined
  return {
    getKey: () => file,
    async getBytes(offset, length): Promise<RangeResponse> {
      const opened = await (handle ??= open(file).catch((error: unknown) => {
        // The next tile tries again.
        handle = undefined
        throw error
      }))
      const data = new ArrayBuffer(length)
      const { bytesRead } = await opened.read(new Uint8Array(data), 0, length, offset)
      return { data: data.slice(0, bytesRead) }
    },
  }
}

/** Directories are decompressed; tiles are sent as they are. */
async function decompress(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression !== Compression.Gzip) return bytes
  const { buffer, byteOffset, byteLength } = await promisify(gunzip)(bytes)
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength)
}
