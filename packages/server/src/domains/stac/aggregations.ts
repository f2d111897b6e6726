import type { StacAggregations } from '@swath/contract/schemas/stac.ts'
import type { ItemCounts } from '../items/search/store.aggregates.ts'

type Aggregation = StacAggregations['aggregations'][number]
type Bucket = NonNullable<Aggregation['buckets']>[number]

/** What `stac.aggregate` can make; `toStacAggregations` makes them in this order. */
export const availableAggregations = [
  { name: 'total_count', data_type: 'integer' },
  { name: 'datetime_min', data_type: 'datetime' },
  { name: 'datetime_max', data_type: 'datetime' },
  {
    name: 'datetime_frequency',
    data_type: 'frequency_distribution',
    frequency_distribution_data_type: 'datetime',
  },
  {
    name: 'cloud_cover_frequency',
    data_type: 'frequency_distribution',
    frequency_distribution_data_type: 'numeric',
  },
  {
    name: 'collection_frequency',
    data_type: 'frequency_distribution',
    frequency_distribution_data_type: 'string',
  },
] as const

/** The bucket of a month such as 2024-06: from its start to the start of the next. */
function monthBucket({ key, count }: ItemCounts['months'][number]): Bucket {
  const [year = 0, month = 0] = key.split('-').map(Number)
  const next = month === 12 ? [year + 1, 1] : [year, month + 1]
  const begin = (numbers: readonly number[]): string =>
    `${String(numbers[0]).padStart(4, '0')}-${String(numbers[1]).padStart(2, '0')}-01T00:00:00.000Z`
  const from = begin([year, month])
  return { key: from, data_type: 'datetime', frequency: count, from, to: begin(next) }
}

/** A bucket of ten per cent cloud cover; the last one includes 100. */
function cloudBucket({ key, count }: { readonly key: number; readonly count: number }): Bucket {
  const [from, to] = [key * 10, key * 10 + 10]
  return { key: `${from}-${to}`, data_type: 'numeric', frequency: count, from, to }
}

const sum = (rows: readonly { readonly count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)

/** Converts counts to the aggregation extension; `overflow` counts the items that are in no bucket. */
export function toStacAggregations(counts: ItemCounts): Aggregation[] {
  const { total, earliest, latest, months, clouds, collections } = counts
  const withCloudCover = clouds.filter((row): row is { key: number; count: number } => row.key !== null)
  return [
    { name: 'total_count', data_type: 'integer', value: total },
    { name: 'datetime_min', data_type: 'datetime', value: earliest?.toISOString() ?? null },
    { name: 'datetime_max', data_type: 'datetime', value: latest?.toISOString() ?? null },
    {
      name: 'datetime_frequency',
      data_type: 'frequency_distribution',
      buckets: months.map(monthBucket),
      overflow: total - sum(months),
    },
    {
      name: 'cloud_cover_frequency',
      data_type: 'frequency_distribution',
      buckets: withCloudCover.map(cloudBucket),
      overflow: total - sum(withCloudCover),
    },
    {
      name: 'collection_frequency',
      data_type: 'frequency_distribution',
      buckets: collections.map(({ key, count }) => ({ key, data_type: 'string', frequency: count })),
      overflow: total - sum(collections),
    },
  ]
}
