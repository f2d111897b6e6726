import type { Visualization, VisualizationProfile } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { parseRanges, type Style, type ValueRange } from '../state/style.ts'
import type { ViewItem } from '../state/view-item.ts'
import { defaultRange, type Histogram } from './histogram.ts'
import { resolvePicture, tileUrl, type Legend, type Picture } from './picture.ts'

export interface NamedHistogram extends Histogram {
  readonly name: string
  readonly band_name: string | null
}

export interface TileExtent {
  readonly bounds: readonly [number, number, number, number]
  readonly minzoom: number
  readonly maxzoom: number
}

/** A picture with its metadata from the platform. */
export interface PictureRead {
  /** Null until the item and its presets are loaded. */
  readonly picture: Picture | null
  readonly presets: readonly Visualization[]
  readonly profiles: readonly VisualizationProfile[]
  readonly legend: Legend | null
  readonly histograms: readonly NamedHistogram[]
  /** The range of each shown band; empty until it is loaded. */
  readonly ranges: readonly ValueRange[]
  readonly isAutomatic: boolean
  /** Null until it is loaded. */
  readonly extent: TileExtent | null
  readonly tiles: string | null
  /** Why there is no picture. */
  readonly error: unknown
  readonly retry: () => void
}

const bins = 512
/** An image is shown four levels further out than where it fills a tile. */
const outer_levels = 4
const none = { item_id: '' }

/**
 * The picture of an item in a style.
 *
 * @param hasHistogram false leaves the histograms out, which only the panel and the legend show.
 */
export function usePicture(item: ViewItem | null, style: Style, hasHistogram = true): PictureRead {
  const asset = item?.assets.find(({ key }) => key === style.asset) ?? item?.assets[0] ?? null
  const isEnabled = item !== null && asset !== null
  const profiles = useOperation('visualization.profiles.list', item ? { item_id: item.id } : none, {
    enabled: isEnabled,
  })
  const presets = useOperation('visualization.list_for', presetRequest(asset), { enabled: isEnabled })
  const source = asset === item?.assets[0] ? undefined : asset?.key
  const extent = useOperation(
    'items.tile.tilejson',
    item ? { item_id: item.id, ...(source ? { asset_key: source } : {}) } : none,
    { enabled: isEnabled },
  )
  const choices = {
    presets: presets.data?.visualizations ?? [],
    profiles: profiles.data?.profiles ?? [],
    legend: extent.data?.legend ?? null,
  }
  const isSettled = !presets.isPending && !profiles.isPending && !extent.isPending
  const picture = item && isSettled ? resolvePicture(item, style, choices) : null
  const histogram = useOperation(
    'items.tile.histogram',
    picture ? { item_id: picture.item.id, ...picture.query, bins } : none,
    { enabled: hasHistogram && picture !== null },
  )
  const histograms = histogram.data?.histograms ?? []
  const retry = (): void => {
    for (const read of [profiles, presets, histogram, extent]) if (read.isError) void read.refetch()
  }
  return {
    picture,
    ...choices,
    histograms,
    ranges: shownRanges(picture, histograms),
    isAutomatic: picture !== null && picture.range === null,
    extent: extent.data ? toExtent(extent.data) : null,
    // A style that the platform refuses has no tiles either.
    tiles: picture && !histogram.isError ? tileUrl(picture, devicePixelRatio > 1 ? 2 : 1) : null,
    error: profiles.error ?? presets.error ?? extent.error ?? histogram.error,
    retry,
  }
}

const presetRequest = (asset: ViewItem['assets'][number] | null) => ({
  band_roles: Object.fromEntries(
    (asset?.bands ?? []).flatMap(({ role, number }) => (role ? [[role, number]] : [])).toReversed(),
  ),
  data_type: asset?.bands.length === 1 ? 'dem' : 'raster',
})

const toExtent = (tileJson: { bounds: number[]; minzoom: number; maxzoom: number }): TileExtent => ({
  bounds: tileJson.bounds as [number, number, number, number],
  minzoom: Math.max(0, tileJson.minzoom - outer_levels),
  maxzoom: tileJson.maxzoom,
})

function shownRanges(picture: Picture | null, histograms: readonly NamedHistogram[]): readonly ValueRange[] {
  const ranges = parseRanges(picture?.range ?? null)
  if (!ranges) return histograms.map(defaultRange)
  // One pair holds for every band.
  return ranges.length === 1 ? Array(picture?.isSingle === false ? 3 : 1).fill(ranges[0]!) : ranges // prettier-ignore
}
