import { useEffect } from 'react'
import { useMap } from './map-context.tsx'
import { tileProtocol } from './platform-tiles.ts'

export interface TerrainProps {
  /** Template of a URL of Terrain-RGB tiles of the platform. */
  readonly tiles: string
  readonly bounds: readonly [number, number, number, number]
  readonly maxzoom: number
  readonly exaggeration: number
}

const source = 'terrain'
const pitch_degrees = 55

/** Shapes the map by an elevation model while it is rendered, and lets it be tilted. */
export function Terrain({ tiles, bounds, maxzoom, exaggeration }: TerrainProps) {
  const map = useMap()
  const [west, south, east, north] = bounds
  useEffect(() => {
    if (!map) return
    map.addSource(source, {
      type: 'raster-dem',
      tiles: [`${tileProtocol}://${tiles}`],
      tileSize: 256,
      maxzoom,
      bounds: [west, south, east, north],
      encoding: 'mapbox',
    })
    map.dragRotate.enable()
    map.touchZoomRotate.enableRotation()
    // Once the terrain is there: its first tiles end a movement that is under way.
    const tilt = (): void => {
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
      map.easeTo({ pitch: pitch_degrees, duration: isStill ? 0 : 500 })
    }
    void map.once('idle', tilt)
    return () => {
      map.off('idle', tilt)
      if (!map.style) return
      map.setTerrain(null)
      map.removeSource(source)
      map.dragRotate.disable()
      map.touchZoomRotate.disableRotation()
      map.jumpTo({ pitch: 0, bearing: 0 })
    }
  }, [map, tiles, west, south, east, north, maxzoom])

  useEffect(() => {
    if (map?.getSource(source)) map.setTerrain({ source, exaggeration })
  }, [map, tiles, west, south, east, north, maxzoom, exaggeration])
  return null
}
