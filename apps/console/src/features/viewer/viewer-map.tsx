import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMapHolder } from '../../map/map-context.tsx'
import { MapOverlay } from '../../map/map-overlay.tsx'
import { SwipeMap } from '../../map/swipe-map.tsx'
import { readVisibleBounds } from '../../map/view/visible-bounds.ts'
import { viewerTexts } from '../../texts/viewer.ts'
import { Button } from '../../ui/button.tsx'
import { LapseLayers } from './compare/lapse-layers.tsx'
import { fitItem, isInView } from './fit-item.ts'
import { Legend } from './legend/legend.tsx'
import { PointerValues } from './legend/pointer-values.tsx'
import { PictureLayer } from './picture-layer.tsx'
import type { PictureRead } from './picture/use-picture.ts'
import { pictureOnly } from './state/style.ts'
import type { ViewItem } from './state/view-item.ts'
import type { TabProps } from './tab-props.ts'
import { useOperation } from '../../api/use-operation.ts'
import { Terrain } from '../../map/terrain.tsx'

interface TerrainLayerProps {
  readonly itemId: string
  readonly items: readonly ViewItem[]
  readonly exaggeration: number
}

/** The terrain of an item with heights. */
function TerrainLayer({ itemId, items, exaggeration }: TerrainLayerProps) {
  const asset = items.find(({ id }) => id === itemId)?.assets[0]
  const extent = useOperation('items.tile.tilejson', { item_id: itemId }, { enabled: asset !== undefined })
  if (!asset || !extent.data) return null
  const { bounds, maxzoom } = extent.data
  const url = `/v1/op/cog.tile.terrain?url=${encodeURIComponent(asset.href)}&z={z}&x={x}&y={y}`
  return (
    <Terrain
      tiles={url}
      bounds={bounds as [number, number, number, number]}
      maxzoom={maxzoom}
      exaggeration={exaggeration}
    />
  )
}

/** The layers of the viewer on the map: the pictures, the comparison, the legends and the values under the cursor. */
export function ViewerMap({ viewer, items, item, read, otherRead, frames, turns }: TabProps) {
  const { state, adjust } = viewer
  const { map, isViewGiven } = useMapHolder()
  const [failures, setFailures] = useState(0)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (map && !isViewGiven() && !isInView(readVisibleBounds(map), item)) fitItem(map, item)
    // Only when another item is shown: a person may then move away from it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [map, item.id])
  const isBlinking = state.compare === 'blink'
  const isOtherShown = isBlinking && turns.index === 1
  const isLapse = state.compare === 'lapse' && frames.length > 1
  const { brightness } = state
  const legendRead = isOtherShown ? otherRead : isLapse ? showItem(read, frames[turns.index]) : read
  return (
    <>
      {state.terrain && state.compare !== 'swipe' && (
        <TerrainLayer itemId={state.terrain} items={items} exaggeration={state.exaggeration} />
      )}
      <PictureLayer
        id="picture"
        read={read}
        opacity={isOtherShown || isLapse ? 0 : state.opacity}
        brightness={brightness}
        attempt={attempt}
        onFailures={setFailures}
      />
      {isBlinking && (
        <PictureLayer
          id="picture-other"
          read={otherRead}
          opacity={isOtherShown ? state.opacity : 0}
          brightness={brightness}
        />
      )}
      {isLapse && (
        <LapseLayers
          frames={frames}
          index={turns.index}
          style={pictureOnly(state.style)}
          opacity={state.opacity}
          brightness={brightness}
        />
      )}
      {state.compare === 'swipe' && (
        <SwipeMap label={viewerTexts.swipeHandle} split={state.split} onSplit={(split) => adjust({ split })}>
          <PictureLayer id="picture-other" read={otherRead} opacity={state.opacity} brightness={brightness} />
        </SwipeMap>
      )}
      {(read.tiles || failures > 0) && (
        <MapOverlay side="left" label={viewerTexts.legend}>
          <Legend read={legendRead} />
          <PointerValues read={legendRead} />
          {failures > 0 && <TileFailures count={failures} onRetry={() => setAttempt(attempt + 1)} />}
        </MapOverlay>
      )}
      {state.compare === 'swipe' && (
        <MapOverlay side="right" label={viewerTexts.legendOther}>
          <Legend read={otherRead} />
          <PointerValues read={otherRead} />
        </MapOverlay>
      )}
    </>
  )
}

/** The same picture of a frame: its date and its values are those of the shown frame. */
const showItem = (read: PictureRead, item: ViewItem | undefined): PictureRead =>
  read.picture && item ? { ...read, picture: { ...read.picture, item } } : read

const TileFailures = ({ count, onRetry }: { count: number; onRetry: () => void }) => (
  <div role="status">
    <p>{viewerTexts.tilesFailed(count)}</p>
    <Button icon={RefreshCw} onClick={onRetry}>
      {viewerTexts.drawTilesAgain}
    </Button>
  </div>
)
