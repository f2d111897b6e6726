import { LRUCache } from 'lru-cache'

/** An encoded image; must not be modified. */
export interface EncodedTile {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** Encoded tiles by a key of everything they depend on: the file with its ETag, the tile and the style. */
export interface TileCache {
  readonly entries: number
  readonly bytes: number
  get(key: string): EncodedTile | undefined
  set(key: string, tile: EncodedTile): void
}

/** Approximate bytes of an entry in the map, beside its key and its data. */
const entry_bytes = 200

/** An LRU cache of tiles, limited by bytes (including keys and a constant per entry). */
export function createTileCache({ bytes }: { readonly bytes: number }): TileCache {
  // A size of 0 would be no limit.
  const kept = new LRUCache<string, EncodedTile>({ maxSize: Math.max(1, bytes) })
  return {
    get entries() {
      return kept.size
    },
    get bytes() {
      return kept.calculatedSize
    },
    get: (key) => kept.get(key),
    set: (key, tile) => {
      // A view into a larger buffer would keep all of it alive.
      const own = tile.bytes.byteLength === tile.bytes.buffer.byteLength ? tile : { ...tile, bytes: tile.bytes.slice() }
      kept.set(key, own, { size: own.bytes.byteLength + 2 * key.length + entry_bytes })
    },
  }
}
