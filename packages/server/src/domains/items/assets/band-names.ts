import { findSensorBands } from './sensor-bands.ts'
import type { AssetRow } from './store.assets.ts'
import type { ItemRow } from '../store.ts'

export interface BandNameSuggestion {
  readonly suggested_band_names: string[]
  readonly method: 'band_descriptions' | 'eo_bands' | 'sensor' | 'reflectance_ranking'
}

type BandNameSources = {
  readonly item: Pick<ItemRow, 'properties'>
  readonly asset: Pick<AssetRow, 'raster' | 'stac'>
}

const nonEmptyText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** The names if every band has one, else null. */
const completeNames = (names: readonly (string | null)[], count: number): string[] | null =>
  names.length === count && count > 0 && names.every((name) => name !== null) ? (names as string[]) : null

/** Names of STAC band objects: common names if all are set and distinct, else their `name`. */
function bandObjectNames(value: unknown, count: number): string[] | null {
  if (!Array.isArray(value)) return null
  const objects = value as Record<string, unknown>[]
  const common = completeNames(
    objects.map((band) => nonEmptyText(band?.['common_name'])),
    count,
  )
  if (common && new Set(common).size === count) return common
  return completeNames(
    objects.map((band) => nonEmptyText(band?.['name'])),
    count,
  )
}

/**
 * Band names that can be determined without reading pixels: band descriptions of the file, then `eo:bands` metadata, then
 * the sensor's products with that number of bands. Null if none applies.
 */
export function suggestBandNames({ item, asset }: BandNameSources): BandNameSuggestion | null {
  const count = asset.raster?.bands.length ?? 0
  const descriptions = completeNames(
    (asset.raster?.bands ?? []).map((band) => nonEmptyText(band.name)),
    count,
  )
  if (descriptions) return { suggested_band_names: descriptions, method: 'band_descriptions' }
  const eoNames = bandObjectNames(asset.stac['eo:bands'], count) ?? bandObjectNames(item.properties['eo:bands'], count)
  if (eoNames) return { suggested_band_names: eoNames, method: 'eo_bands' }
  const platforms = ['platform', 'constellation'].flatMap((name) => nonEmptyText(item.properties[name]) ?? [])
  const sensor = platforms.map((platform) => findSensorBands(platform, count)).find((bands) => bands !== null)
  return sensor ? { suggested_band_names: [...sensor], method: 'sensor' } : null
}

/**
 * Guesses by brightness, for surface reflectance over land: vegetation makes near infrared the brightest band, and blue
 * is the darkest visible one. Green lies between blue and red in every common band order, so the position of blue gives
 * red. Bands beyond the first four, and rasters of one or two bands, get generic names; three bands are red, green, blue.
 *
 * @param medians of the valid pixels, by band; NaN where a band has none.
 */
export function rankByReflectance(medians: readonly number[]): string[] {
  const names = medians.map((_, index) => `b${index + 1}`)
  if (medians.length === 3) return ['red', 'green', 'blue']
  if (medians.length < 4 || medians.slice(0, 4).some((median) => !Number.isFinite(median))) return names
  const four = [0, 1, 2, 3]
  const nir = four.reduce((best, band) => (medians[band]! > medians[best]! ? band : best))
  const visible = four.filter((band) => band !== nir)
  const [first, middle, last] = visible as [number, number, number]
  const [blue, red] = medians[first]! <= medians[last]! ? [first, last] : [last, first]
  names[nir] = 'nir'
  names[blue] = 'blue'
  names[middle] = 'green'
  names[red] = 'red'
  return names
}
