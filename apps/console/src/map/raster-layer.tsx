import type { ErrorEvent, RasterTileSource } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useReachableAgain } from '../api/reachability.ts'
import { findLowestDrawing } from './layer-order.ts'
import { tileProtocol } from './platform-tiles.ts'
import { useMap } from './map-context.tsx'

export interface RasterLayerProps {
  readonly id: string
  /** Template of a URL of the platform with `{z}`, `{x}` and `{y}`. */
  readonly tiles: string
  /** West, south, east, north: no tile is requested outside. */
  readonly bounds: readonly [number, number, number, number]
  readonly minzoom: number
  readonly maxzoom: number
  /** 0 to 1. */
  readonly opacity: number
  /** -1 to 1; default 0. */
  readonly brightness?: number
  /** The layer that stays above this one; without it, this one is on top, below drawings. */
  readonly below?: string
  /** Another number requests the tiles again. */
  readonly attempt?: number
  /** Called with the number of tiles that failed since the URL changed. */
  readonly onFailures?: (count: number) => void
}

/** Tiles that the platform renders, requested with the token of the person; those out of view are cancelled. */
export function RasterLayer(props: RasterLayerProps) {
  const { id, tiles, bounds, minzoom, maxzoom, opacity, brightness = 0, below, attempt = 0, onFailures } = props
  const map = useMap()
  const [west, south, east, north] = bounds
  const template = useRef(tiles)
  const drawn = useRef(attempt)

  useEffect(() => {
    if (!map) return
    map.addSource(id, {
      type: 'raster',
      // With its URL from the start: tiles are requested in vain from a source without one.
      tiles: [`${tileProtocol}://${template.current}`],
      tileSize: 256,
      minzoom,
      maxzoom,
      bounds: [west, south, east, north],
    })
    map.addLayer(
      { id, type: 'raster', source: id, paint: { 'raster-fade-duration': 0 } },
      below && map.getLayer(below) ? below : findLowestDrawing(map),
    )
    return () => {
      if (!map.style) return
      map.removeLayer(id)
      map.removeSource(id)
    }
  }, [map, id, minzoom, maxzoom, west, south, east, north, below])

  useEffect(() => {
    if (template.current === tiles && drawn.current === attempt) return
    template.current = tiles
    drawn.current = attempt
    map?.getSource<RasterTileSource>(id)?.setTiles([`${tileProtocol}://${tiles}`])
  }, [map, id, tiles, attempt])

  useEffect(() => {
    if (!map?.getLayer(id)) return
    map.setPaintProperty(id, 'raster-opacity', opacity)
    map.setPaintProperty(id, 'raster-brightness-min', Math.max(0, brightness))
    map.setPaintProperty(id, 'raster-brightness-max', Math.min(1, 1 + brightness))
  }, [map, id, opacity, brightness, minzoom, maxzoom, west, south, east, north, below])

  useTileFailures(id, `${tiles} ${attempt}`, onFailures)
  return null
}

/** Counts the tiles of a source that fail; cancelled ones do not count. */
function useTileFailures(id: string, request: string, onFailures?: (count: number) => void): void {
  const map = useMap()
  const report = useRef(onFailures)
  const count = useRef(0)
  useEffect(() => {
    report.current = onFailures
  })
  useEffect(() => {
    if (!map) return
    count.current = 0
    report.current?.(0)
    const fail = (event: ErrorEvent & { sourceId?: string }): void => {
      if (event.sourceId === id) report.current?.(++count.current)
    }
    map.on('error', fail)
    return () => void map.off('error', fail)
  }, [map, id, request])
  // They are requested again then.
  useReachableAgain(() => {
    count.current = 0
    report.current?.(0)
  })
}
