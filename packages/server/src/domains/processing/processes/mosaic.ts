import Type from 'typebox'
import type { RasterProcess } from '@swath/raster'
import { validationProblem } from '../../../engine/problem.ts'
import { planDerivedRaster } from './derived-raster.ts'
import type { PlannedItem, SourceItem, ProcessInputReader } from '../process-definition.ts'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, itemsInput, createResamplingInputSchema, titleInput } from '../process-inputs.ts'
import { listBandNames, chooseSourceAsset, isCategorical } from '../source-bands.ts'

type PixelSelection = Extract<RasterProcess, { name: 'mosaic' }>['pixelSelection']
type Resampling = Extract<RasterProcess, { name: 'mosaic' }>['resampling']

const readItems = async (sources: ProcessInputReader, references: readonly string[]): Promise<SourceItem[]> => {
  const items: SourceItem[] = []
  for (const reference of references) items.push(await sources.item(reference))
  return items
}

function planMosaic(
  items: readonly SourceItem[],
  {
    name,
    asset_key,
    pixelSelection,
    resampling,
  }: {
    readonly name: string
    readonly asset_key: string | undefined
    readonly pixelSelection: PixelSelection
    readonly resampling: Resampling
  },
): PlannedItem {
  const chosen = items.map((item) => chooseSourceAsset(item, asset_key))
  return planDerivedRaster(name, items, {
    sources: chosen,
    process: { name: 'mosaic', pixelSelection, resampling },
    bands: listBandNames(chosen[0]!),
    is_categorical: isCategorical(chosen[0]!),
  })
}

/** Least cloud cover first; items without that property last. */
const byCloudCover = (left: SourceItem, right: SourceItem): number =>
  (left.item.cloud_cover ?? Number.MAX_VALUE) - (right.item.cloud_cover ?? Number.MAX_VALUE)

export const mosaicProcess = defineProcess({
  id: 'mosaic',
  title: 'Mosaic',
  description:
    'Joins rasters of several items to one, on the grid of the first. Where they overlap, the method decides; other grids are resampled.',
  version: '1.2',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemsInput,
      ...assetKeyInput,
      method: Type.Optional(
        Type.Enum(['first', 'last', 'least_cloud', 'median', 'mean', 'lowest', 'highest'], {
          default: 'first',
          description:
            'The first or last valid pixel, that of the item with the least cloud cover, or per band the median, mean, lowest or highest value.',
        }),
      ),
      ...createResamplingInputSchema('nearest'),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 3,
  plan: async ({ items: references, asset_key, method = 'first', resampling, title }, sources) => {
    const items = await readItems(sources, references)
    const isByCloud = method === 'least_cloud'
    return [
      planMosaic(isByCloud ? items.toSorted(byCloudCover) : items, {
        name: title ?? `Mosaic of ${items.length} items`,
        asset_key,
        pixelSelection: isByCloud ? 'first' : method,
        resampling,
      }),
    ]
  },
})

type Period = 'month' | 'quarter' | 'year' | 'all'

/** The period of a time in UTC, such as `2024-06`, `2024-Q2` or `2024`. */
function periodOf(time: Date, period: Period): string {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  const texts: Readonly<Record<Period, string>> = {
    month: `${year}-${String(month + 1).padStart(2, '0')}`,
    quarter: `${year}-Q${Math.floor(month / 3) + 1}`,
    year: String(year),
    all: 'all',
  }
  return texts[period]
}

export const compositeProcess = defineProcess({
  id: 'composite',
  title: 'Composite by period',
  description: 'Computes one raster of the items of each period, band by band from all their valid pixels.',
  version: '1.2',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemsInput,
      ...assetKeyInput,
      period: Type.Optional(
        Type.Enum(['month', 'quarter', 'year', 'all'], {
          default: 'month',
          description: 'Items of one period (UTC) become one item; default month.',
        }),
      ),
      method: Type.Optional(
        Type.Enum(['median', 'mean', 'lowest', 'highest'], { default: 'median', description: 'Default median.' }),
      ),
      ...createResamplingInputSchema('nearest'),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 4,
  plan: async ({ items: references, asset_key, period = 'month', method = 'median', resampling, title }, sources) => {
    const items = await readItems(sources, references)
    const groups = Map.groupBy(items, ({ item }) => {
      const time = item.datetime ?? item.start_datetime
      if (time === null && period !== 'all')
        throw validationProblem([{ path: 'items', message: `the item "${item.id}" has no time` }])
      return time === null ? 'all' : periodOf(time, period)
    })
    return [...groups]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, group]) =>
        planMosaic(group, {
          name: `${title ?? 'Composite'} ${name}`,
          asset_key,
          pixelSelection: method,
          resampling,
        }),
      )
  },
})
