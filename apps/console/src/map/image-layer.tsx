import type { ImageSource } from 'maplibre-gl'
import { useEffect } from 'react'
import { useMap } from './map-context.tsx'

type Corner = readonly [lon: number, lat: number]

export interface ImageLayerProps {
  readonly id: string
  /** A local URL of the picture. */
  readonly url: string
  /** Top left, top right, bottom right, bottom left. */
  readonly corners: readonly [Corner, Corner, Corner, Corner]
  /** 0 to 1. */
  readonly opacity: number
}

/** A picture draped on the map, such as a quicklook over its footprint. */
export function ImageLayer({ id, url, corners, opacity }: ImageLayerProps) {
  const map = useMap()
  const key = JSON.stringify(corners)

  useEffect(() => {
    if (!map) return
    const coordinates = JSON.parse(key) as Parameters<ImageSource['setCoordinates']>[0]
    map.addSource(id, { type: 'image', url, coordinates })
    map.addLayer({ id, type: 'raster', source: id, paint: { 'raster-fade-duration': 0 } })
    return () => {
      if (!map.style) return
      map.removeLayer(id)
      map.removeSource(id)
    }
  }, [map, id, url, key])

  useEffect(() => {
    if (map?.getLayer(id)) map.setPaintProperty(id, 'raster-opacity', opacity)
  }, [map, id, url, key, opacity])

  return null
}
