import { useOperation } from '../../api/use-operation.ts'
import { Terrain } from '../../map/terrain.tsx'
import type { ViewItem } from './state/view-item.ts'

interface TerrainLayerProps {
  readonly itemId: string
  readonly items: readonly ViewItem[]
  readonly exaggeration: number
}

/** The terrain of an item with heights. */
export function TerrainLayer({ itemId, items, exaggeration }: TerrainLayerProps) {
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
