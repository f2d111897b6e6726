import type { Map as MapLibreMap } from 'maplibre-gl'
import { createContext, use, useState, type ReactNode } from 'react'

interface MapHolder {
  readonly map: MapLibreMap | null
  readonly setMap: (map: MapLibreMap | null) => void
  /** The same map from its creation on: before its style is loaded, its view can be read. */
  readonly createdMap: MapLibreMap | null
  readonly setCreatedMap: (map: MapLibreMap | null) => void
  /** The browser cannot draw maps: what follows the view of the map goes on without it. */
  readonly hasFailed: boolean
  readonly setFailed: (hasFailed: boolean) => void
  /** True while the view is that of the URL: then nothing is fitted into view. */
  readonly isViewGiven: () => boolean
}

const MapContext = createContext<MapHolder | null>(null)

interface MapProviderProps extends Partial<Pick<MapHolder, 'isViewGiven'>> {
  readonly children: ReactNode
}

const isNeverGiven = (): boolean => false

/** Holds the one map of the page, so that the panel beside it can draw on it. */
export function MapProvider({ isViewGiven = isNeverGiven, children }: MapProviderProps) {
  const [map, setMap] = useState<MapLibreMap | null>(null)
  const [createdMap, setCreatedMap] = useState<MapLibreMap | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const holder = { map, setMap, createdMap, setCreatedMap, hasFailed, setFailed, isViewGiven }
  return <MapContext value={holder}>{children}</MapContext>
}

export function useMapHolder(): MapHolder {
  const holder = use(MapContext)
  if (!holder) throw new Error('there is no map here')
  return holder
}

/** The one map of the page; null until it is ready. */
export const useMap = (): MapLibreMap | null => useMapHolder().map
