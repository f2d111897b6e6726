import type { ErrorEvent } from 'maplibre-gl'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Client } from '@swath/client/client.ts'
import { FootprintLayer } from '../map/footprint-layer.tsx'
import { MapCanvas } from '../map/map-canvas.tsx'
import { MapProvider, useMap } from '../map/map-context.tsx'
import { registerPlatformTiles } from '../map/platform-tiles.ts'
import { RasterLayer } from '../map/raster-layer.tsx'
import { shareTexts as texts } from '../texts/share.ts'
import { tilePath, type SharedContent } from './open-link.ts'
import type { Bounds } from '@swath/geo/tile-grid.ts'
import { parseBounds, uniteBounds } from './shared-bounds.ts'
import styles from './share.module.css'
import { readShownTheme, watchTheme } from '../theme/system-theme.ts'
import layout from '../ui/layout.module.css'

export interface SharedMapProps {
  readonly client: Client
  readonly content: SharedContent
  readonly hovered: string | null
  readonly selected: string | null
  readonly onHover: (id: string | null) => void
  /** Null shows all. */
  readonly onSelect: (id: string | null) => void
}

const pictureId = 'shared-picture'
const footprintsId = 'shared-footprints'
/** Nobody needs to see a single pixel fill the map. */
const max_fit_zoom = 17

/** The map with the picture and the footprints of the shared items. */
export function SharedMap(props: SharedMapProps) {
  const { client } = props
  const [isReady, setReady] = useState(false)
  const theme = useSyncExternalStore(watchTheme, readShownTheme)
  useEffect(() => {
    // Before the first tile is requested.
    registerPlatformTiles(client)
    setReady(true)
  }, [client])
  return (
    <MapProvider>
      <MapCanvas view={null} onMove={() => undefined} theme={theme} />
      {isReady && <SharedLayers {...props} />}
    </MapProvider>
  )
}

function SharedLayers({ content, hovered, selected, onHover, onSelect }: SharedMapProps) {
  const { items, tiles } = content
  const footprints = useMemo(() => toFootprints(content), [content])
  const selection = useMemo(() => new Set(selected === null ? [] : [selected]), [selected])
  const whole = uniteBounds([parseBounds(tiles?.bounds ?? null), ...items.map(({ bbox }) => parseBounds(bbox))])
  const chosen = parseBounds(items.find(({ id }) => id === selected)?.bbox ?? null)
  useFit(chosen ?? whole)
  const bounds = parseBounds(tiles?.bounds ?? null)
  return (
    <>
      {tiles && bounds && (
        <RasterLayer
          id={pictureId}
          // Of a collection the newest item is on top: the chosen one is shown alone.
          tiles={tilePath(tiles, items.length > 1 ? selected : null)}
          bounds={[...bounds]}
          minzoom={tiles.minzoom}
          maxzoom={tiles.maxzoom}
          opacity={1}
        />
      )}
      <FootprintLayer
        id={footprintsId}
        footprints={footprints}
        hovered={hovered}
        selected={selection}
        onHover={onHover}
        onSelect={onSelect}
        isFilled={false}
      />
      <TileFailures />
    </>
  )
}

/** Shows these bounds; with a movement only after the first time, and if the system permits movements. */
function useFit(bounds: Bounds | null): void {
  const map = useMap()
  const key = bounds?.join(',') ?? ''
  useEffect(() => {
    if (!map || key === '') return
    const [west = 0, south = 0, east = 0, north = 0] = key.split(',').map(Number)
    map.fitBounds([west, south, east, north], { padding: 32, maxZoom: max_fit_zoom, animate: false })
  }, [map, key])
}

/** Says that tiles failed, until the map moves on. */
function TileFailures() {
  const map = useMap()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!map) return
    const fail = (event: ErrorEvent & { readonly sourceId?: string }): void => {
      if (event.sourceId === pictureId) setFailed(true)
    }
    const forget = (): void => setFailed(false)
    map.on('error', fail)
    map.on('movestart', forget)
    return () => {
      map.off('error', fail)
      map.off('movestart', forget)
    }
  }, [map])
  return hasFailed ? (
    <p className={`${layout['boxed']} ${styles['mapNote']}`} role="status">
      {texts.tilesFailed}
    </p>
  ) : null
}

const toFootprints = ({ items }: SharedContent): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: items.flatMap(({ id, geometry }) =>
    geometry ? [{ type: 'Feature', id, properties: { id }, geometry: geometry as GeoJSON.Geometry }] : [],
  ),
})
