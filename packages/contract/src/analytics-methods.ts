import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { AnalyticsRaster } from './schemas/analytics.ts'
import { Area } from './schemas/geojson.ts'
import {
  Count,
  Datetime,
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDefault,
  WithDescription,
} from './schemas/primitives.ts'
import {
  approximateField,
  AssetKey,
  bandFieldsOfValue,
  expressionField,
  latitudeField,
  longitudeField,
} from './schemas/rendering.ts'

/** A method of `analytics.execute`: its description, and the schemas of its parameters and of its result. */
export interface AnalyticsMethodDefinition<Params extends TObject = TObject, Result extends TObject = TObject> {
  readonly title: string
  readonly description: string
  readonly data_types: readonly string[]
  readonly params: Params
  readonly result: Result
}

const defineMethod = <P extends TProperties, R extends TProperties>(
  title: string,
  description: string,
  params: P,
  result: R,
): AnalyticsMethodDefinition<TObject<P>, TObject<R>> => ({
  title,
  description,
  data_types: ['raster'],
  params: StrictObject(params) as TObject<P>,
  result: Type.Object(result),
})

/** Band numbers from 1, or names, by the name that a formula uses. */
const BandMapping = OptionalNullable(
  Type.Record(
    Type.String({ maxLength: 200 }),
    Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: 200 })]),
    {
      description:
        'The band for each name in the formula, as a number from 1 or a name. Names that are absent are found by the names of the bands.',
    },
  ),
)

const IndexName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'A spectral index (`analytics.indices.list`).',
})

/** The measured value: an index, an expression, or bands; by default every band. */
const measuredValue = {
  index_name: OptionalNullable(IndexName),
  expression: expressionField,
  bands: OptionalNullable(
    Type.String({
      maxLength: 2000,
      description: 'Band numbers or names, separated by commas, such as `4` or `red,nir`.',
    }),
  ),
  band_mapping: BandMapping,
  asset_key: AssetKey,
  scaled: OptionalNullable(
    Type.Boolean({ description: 'Apply scale and offset; default: for an index, and a series with different ones.' }),
  ),
}

/** The items of a series: exactly one of the three members. */
const seriesItems = {
  item_ids: OptionalNullable(Type.Array(Uuid, { minItems: 1, maxItems: 100, description: 'The items.' })),
  item_id: WithDescription('An item, with the other items of its collection.', OptionalNullable(Uuid)),
  collection_id: WithDescription('A collection: its newest 100 items.', OptionalNullable(Uuid)),
  datetime: WithDescription('Only items of this time.', OptionalNullable(Datetime)),
}

const Percentiles = Type.Array(Type.Number({ minimum: 0, maximum: 100 }), {
  maxItems: 100,
  description: 'Percentiles to compute.',
})

const Bins = (value: number) =>
  WithDefault(Type.Integer({ minimum: 1, maximum: 1024, description: 'Number of bins of equal width.' }), value)

const BinRange = OptionalNullable(
  Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: 'Lower and upper edge of the histogram; by default the minimum and maximum value.',
  }),
)

const optionalNumber = Nullable(Type.Number())

const Histogram = Type.Object({ counts: Type.Array(Type.Number()), edges: Type.Array(Type.Number()) })

/** Statistics of the pixels of a zone; the numbers are null if no pixel has a value. */
export const ZoneStatistics = Type.Object({
  ...bandFieldsOfValue,
  count: Type.Number({ minimum: 0, description: 'Pixels with a value; weighted, the sum of their covered fractions.' }),
  valid_percent: Type.Number({ description: 'Share of the pixels of the zone that have a value.' }),
  sum: optionalNumber,
  mean: optionalNumber,
  min: optionalNumber,
  max: optionalNumber,
  std: optionalNumber,
  median: optionalNumber,
  percentiles: WithDescription('Percentile, as text, to value.', Type.Record(Type.String(), Type.Number())),
  histogram: Nullable(Histogram),
  categories: Nullable(Type.Array(Type.Object({ value: Type.Number(), count: Type.Number() }))),
})

export type ZoneStatistics = Static<typeof ZoneStatistics>

const skipped = Type.Array(Type.Object({ item_id: Uuid, reason: Type.String() }), {
  description: 'Items that could not be measured, with the reason.',
})
const truncated = Type.Boolean({ description: 'True if time did not suffice for the oldest items.' })

/** The methods of `analytics.execute` by name. */
export const analyticsMethods = {
  zonal_stats: defineMethod(
    'Zonal statistics',
    'Statistics of bands, of an expression or of a spectral index inside one area, or inside each of up to 1,000 areas.',
    {
      item_id: Uuid,
      geometry: WithDescription('The area; or give `zones`.', OptionalNullable(Area)),
      zones: OptionalNullable(
        Type.Array(StrictObject({ id: Type.String({ maxLength: 200 }), geometry: Area }), {
          minItems: 1,
          maxItems: 1000,
          description: 'Areas with an id of your own, instead of `geometry`.',
        }),
      ),
      ...measuredValue,
      weighted: WithDefault(
        Type.Boolean({
          description:
            'Weigh each pixel by the fraction of it inside the area; otherwise whole pixels count by their centres.',
        }),
        true,
      ),
      percentiles: WithDefault(Percentiles, [2, 98]),
      bins: WithDefault(
        Type.Integer({ minimum: 0, maximum: 1024, description: 'Bins of the histogram; 0 for none.' }),
        0,
      ),
      range: BinRange,
      categories: WithDefault(Type.Boolean({ description: 'Count each value, as for land cover classes.' }), false),
    },
    {
      item_id: Uuid,
      weighted: Type.Boolean(),
      zones: Type.Array(
        Type.Object({
          id: Nullable(Type.String()),
          approximate: approximateField,
          values: Type.Array(ZoneStatistics),
        }),
      ),
    },
  ),
  time_series: defineMethod(
    'Time series',
    'Statistics of a band, an expression or a spectral index inside an area, for items over time, oldest first.',
    { ...seriesItems, geometry: Area, ...measuredValue },
    {
      series: Type.Array(
        Type.Object({
          item_id: Uuid,
          datetime: Timestamp,
          approximate: approximateField,
          values: Type.Array(ZoneStatistics),
        }),
      ),
      skipped,
      truncated,
    },
  ),
  change_detection: defineMethod(
    'Change detection',
    'How a spectral index changed inside an area from one item to another, on the grid of the first one.',
    {
      before_item_id: Uuid,
      after_item_id: Uuid,
      index_name: IndexName,
      change_threshold: Type.Number({
        minimum: 0,
        description: 'A pixel has changed if its index differs by at least this much; for 0, if it differs at all.',
      }),
      geometry: Area,
      band_mapping: BandMapping,
    },
    {
      before_item_id: Uuid,
      after_item_id: Uuid,
      index_name: Type.String(),
      change_threshold: Type.Number(),
      band_mapping: WithDescription(
        'The number of the band that was used for each name, in each item.',
        Type.Object({
          before: Type.Record(Type.String(), Type.Integer()),
          after: Type.Record(Type.String(), Type.Integer()),
        }),
      ),
      statistics: Type.Object({
        pixel_count: Count,
        compared_count: WithDescription('Pixels with an index in both items.', Count),
        changed_count: Count,
        increased_count: Count,
        decreased_count: Count,
        unchanged_count: Count,
        changed_percent: Type.Number({ description: 'Of the compared pixels.' }),
        mean_change: optionalNumber,
        std_change: optionalNumber,
        min_change: optionalNumber,
        max_change: optionalNumber,
        pixel_area_m2: WithDescription('Area of a pixel in the middle of the change raster.', optionalNumber),
        changed_area_m2: optionalNumber,
      }),
      change_raster: WithDescription('The index after, less the index before, as a 32-bit band.', AnalyticsRaster),
      change_image: WithDescription(
        'The change raster rendered as PNG, from red (less) to blue (more).',
        AnalyticsRaster,
      ),
    },
  ),
  histogram: defineMethod(
    'Histogram',
    'Histogram of bands, of an expression or of a spectral index of an item, or of a part of it.',
    {
      item_id: Uuid,
      geometry: WithDescription('The area; by default the whole item.', OptionalNullable(Area)),
      ...measuredValue,
      bins: Bins(256),
      range: BinRange,
    },
    {
      item_id: Uuid,
      approximate: approximateField,
      histograms: Type.Array(
        Type.Object({
          ...bandFieldsOfValue,
          count: Count,
          min: optionalNumber,
          max: optionalNumber,
          counts: Type.Array(Count),
          edges: Type.Array(Type.Number({ description: 'Bin edges; one more than counts.' })),
        }),
      ),
    },
  ),
  line_profile: defineMethod(
    'Line profile',
    'Values of bands, of an expression or of a spectral index at equal distances along a line.',
    {
      item_id: Uuid,
      coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
        minItems: 2,
        maxItems: 1000,
        description: 'Positions of the line: longitude and latitude.',
      }),
      samples: WithDefault(
        Type.Integer({ minimum: 2, maximum: 256, description: 'Number of positions, at equal distances.' }),
        128,
      ),
      ...measuredValue,
    },
    {
      item_id: Uuid,
      length_m: Type.Number(),
      positions: Type.Array(Type.Object({ lon: Type.Number(), lat: Type.Number(), distance_m: Type.Number() })),
      values: Type.Array(Type.Object({ ...bandFieldsOfValue, values: Type.Array(optionalNumber) })),
    },
  ),
  point_series: defineMethod(
    'Point series',
    'Values of bands, of an expression or of a spectral index at points, for items over time, oldest first.',
    {
      ...seriesItems,
      points: Type.Array(StrictObject({ lon: longitudeField, lat: latitudeField }), {
        minItems: 1,
        maxItems: 20,
        description: 'The points.',
      }),
      ...measuredValue,
    },
    {
      series: Type.Array(
        Type.Object({
          item_id: Uuid,
          datetime: Timestamp,
          values: Type.Array(
            Type.Object({
              ...bandFieldsOfValue,
              values: Type.Array(optionalNumber, { description: 'One for each point; null outside and without data.' }),
            }),
          ),
        }),
      ),
      skipped,
      truncated,
    },
  ),
} as const

export type AnalyticsMethodName = keyof typeof analyticsMethods
export type AnalyticsMethodParams<Name extends AnalyticsMethodName> = Static<(typeof analyticsMethods)[Name]['params']>
export type AnalyticsMethodResult<Name extends AnalyticsMethodName> = Static<(typeof analyticsMethods)[Name]['result']>
