import type { ErrorEvent, Map as MapLibreMap, RasterTileSource } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useReachableAgain } from '../api/reachability.ts'

interface TileId {
  readonly x: number
  readonly y: number
  readonly z: number
}

type TileErrorEvent = ErrorEvent & {
  readonly sourceId?: string
  readonly tile?: { readonly tileID: { readonly canonical: TileId } }
}

/** Of a source: more are not in view. */
const max_tiles = 500

/** Requests the tiles that have failed again when the platform answers again: MapLibre requests each once. */
export function useRedrawFailedTiles(map: MapLibreMap | null): void {
  const failed = useRef(new Map<string, TileId[]>())
  useEffect(() => {
    if (!map) return
    const record = ({ sourceId, tile }: TileErrorEvent): void => {
      if (sourceId === undefined || !tile) return
      const tiles = failed.current.get(sourceId) ?? []
      failed.current.set(sourceId, [...tiles, tile.tileID.canonical].slice(-max_tiles))
    }
    map.on('error', record)
    return () => void map.off('error', record)
  }, [map])
  useReachableAgain(() => {
    for (const [source, tiles] of failed.current) if (map?.style) requestTiles(map, source, tiles)
    failed.current.clear()
  })
}

/**
 * In MapLibre 6 `refreshTiles` draws a raster tile that has failed before it is there, which throws, and `setTiles` waits for
 * ever for a vector tile that has failed: each kind has the one that works.
 */
function requestTiles(map: MapLibreMap, id: string, tiles: TileId[]): void {
  const source = map.getSource(id)
  if (source?.type === 'vector') map.refreshTiles(id, tiles)
  else if (source?.type === 'raster') (source as RasterTileSource).setTiles((source as RasterTileSource).tiles)
}
