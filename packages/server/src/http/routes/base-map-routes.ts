import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ifNoneMatchIncludes } from '../../engine/entity-tag.ts'
import { Problem } from '../../engine/problem.ts'
import { listTileArchives, openTileArchive, type TileArchive } from '../../platform/base-map/tile-archive.ts'
import { chooseCoding } from '../bodies/compression.ts'

/** Kinds of tiles: the first word of the name of their archive. */
const mediaTypes: Readonly<Record<string, string>> = {
  world: 'application/vnd.mapbox-vector-tile',
  relief: 'image/webp',
}

/** Tiles never change under their address, which has the hash of the archive in it. */
const immutable = 'public, max-age=31536000, immutable'

/** Serves the tiles of the archives in a folder at `/base-map/<archive>/<z>/<x>/<y>`, without a token. */
export function registerBaseMapRoutes(app: FastifyInstance, folder: string): void {
  const archives = new Map(
    listTileArchives(folder).map((name): [string, TileArchive] => [
      name,
      openTileArchive(join(folder, `${name}.pmtiles`)),
    ]),
  )
  app.get('/base-map/:archive/:z/:x/:y', async (request, reply) => {
    const { archive: name, z, x, y } = request.params as Record<'archive' | 'z' | 'x' | 'y', string>
    const archive = archives.get(name)
    const [zoom, column, row] = [z, x, y].map(readInteger)
    if (!archive || !isInPyramid(zoom!, column!, row!, await archive.readMaxzoom()))
      throw new Problem('not-found', 'The base map has no such tile.')
    // Weak: the same tile is sent with different codings.
    const etag = `W/"${name}/${z}/${x}/${y}"`
    reply.headers({ 'cache-control': immutable, etag })
    if (ifNoneMatchIncludes(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const tile = await archive.readTile(zoom!, column!, row!)
    if (!tile) return reply.code(204).send()
    return sendTile(reply, tile, mediaTypes[name.split('-')[0]!]!)
  })
}

const readInteger = (text: string): number => (/^\d{1,2}$|^[1-9]\d{2,7}$/.test(text) ? Number(text) : NaN)

const isInPyramid = (z: number, x: number, y: number, maxzoom: number): boolean =>
  z <= maxzoom && x < 2 ** z && y < 2 ** z

/** Vector tiles are stored with Brotli: compressed again only for clients that do not read it, which are no browsers. */
async function sendTile(reply: FastifyReply, tile: Buffer, media_type: string): Promise<FastifyReply> {
  reply.type(media_type)
  if (media_type === mediaTypes['relief']) return reply.send(tile)
  reply.header('vary', 'accept-encoding')
  const coding = chooseCoding(reply.request.headers, ['br'])
  return coding === null
    ? reply.send(await promisify(brotliDecompress)(tile))
    : reply.header('content-encoding', coding).send(tile)
}
