import type { ImageSource } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { useMap } from './map-context.tsx'
import { tileProtocol } from './platform-tiles.ts'

type Corner = readonly [lon: number, lat: number]

export interface ImageLayerProps {
  readonly id: string
  /** URL of the picture on the platform; the page must not connect to a local URL. */
  readonly path: string
  /** Top left, top right, bottom right, bottom left. */
  readonly corners: readonly [Corner, Corner, Corner, Corner]
  /** 0 to 1. */
  readonly opacity: number
  /** Layers that it may be drawn below, of which the first that is there counts; on top without one. */
  readonly below?: readonly string[]
}

const none: readonly string[] = []

/** A picture draped on the map, such as a quicklook over its footprint. */
export function ImageLayer({ id, path, corners, opacity, below = none }: ImageLayerProps) {
  const map = useMap()
  const upper = useRef(below)
  useEffect(() => {
    upper.current = below
  })
  const key = JSON.stringify(corners)

  useEffect(() => {
    if (!map) return
    const coordinates = JSON.parse(key) as Parameters<ImageSource['setCoordinates']>[0]
    map.addSource(id, { type: 'image', url: `${tileProtocol}://${path}`, coordinates })
    map.addLayer(
      { id, type: 'raster', source: id, paint: { 'raster-fade-duration': 0 } },
      upper.current.find((layer) => map.getLayer(layer)),
    )
    return () => {
      if (!map.style) return
      map.removeLayer(id)
      map.removeSource(id)
    }
  }, [map, id, path, key])

  useEffect(() => {
    if (map?.getLayer(id)) map.setPaintProperty(id, 'raster-opacity', opacity)
  }, [map, id, path, key, opacity])

  return null
}
