import { createHash } from 'node:crypto'

/**
 * Mean cloud cover over land in per cent by latitude and season, after the zonal means of satellite climatologies (ISCCP,
 * MODIS), rounded: a wet equator, dry subtropics, cloudy middle latitudes. Rows are bands of 10 degrees from the south
 * pole, columns the seasons December to February, March to May, June to August, September to November.
 */
const cloudTable: readonly (readonly [number, number, number, number])[] = [
  [50, 45, 45, 50],
  [60, 55, 50, 60],
  [75, 70, 65, 75],
  [85, 82, 78, 84],
  [70, 70, 74, 72],
  [50, 52, 58, 55],
  [45, 40, 38, 42],
  [62, 48, 30, 45],
  [72, 66, 52, 64],
  [58, 68, 70, 68],
  [35, 45, 62, 55],
  [30, 32, 45, 35],
  [42, 42, 32, 34],
  [58, 55, 45, 48],
  [68, 64, 58, 62],
  [70, 66, 64, 70],
  [66, 68, 68, 72],
  [58, 62, 76, 72],
]

/** The expected cloud cover of a place at a time, per cent. */
export function computeExpectedCloudCover_pct(latitude: number, time: Date): number {
  const row = Math.min(cloudTable.length - 1, Math.max(0, Math.floor((latitude + 90) / 10)))
  const season = Math.floor(((time.getUTCMonth() + 1) % 12) / 3)
  return cloudTable[row]![season]!
}

/**
 * The parameter b of Kumaraswamy's distribution (Journal of Hydrology 46, 1980) with a = 1/2 and this mean, for which
 * mean = 2 / ((b + 1)(b + 2)). It has most of its mass near 0 and 1, as the cloud cover of scenes has.
 */
const shapeOf = (mean: number): number => (Math.sqrt(1 + 8 / mean) - 3) / 2

/** The probability that a scene has at most this cloud cover, for an expected cover; both per cent. */
export function computeCloudCoverProbability(max_cloud_pct: number, expected_pct: number): number {
  if (max_cloud_pct >= 100) return 1
  if (max_cloud_pct < 0) return 0
  return 1 - (1 - Math.sqrt(max_cloud_pct / 100)) ** shapeOf(expected_pct / 100)
}

export interface CloudClimatePosition {
  readonly longitude: number
  readonly latitude: number
}

/** Places within a cell of this size have the same weather for three hours. */
const cell_deg = 0.5
const weather_ms = 3 * 3600 * 1000

/** The cloud cover that a scene turns out to have, per cent with one decimal: the same for the same seed, place and time. */
export function simulateCloudCover_pct(
  seed: string,
  { longitude, latitude }: CloudClimatePosition,
  time: Date,
): number {
  const cell = [Math.floor(longitude / cell_deg), Math.floor(latitude / cell_deg)]
  const period = Math.floor(time.getTime() / weather_ms)
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...cell, period]))
    .digest()
  const quantile = digest.readUInt32BE(0) / 2 ** 32
  const shape = shapeOf(computeExpectedCloudCover_pct(latitude, time) / 100)
  const cover = (1 - (1 - quantile) ** (1 / shape)) ** 2
  return Math.round(cover * 1000) / 10
}
