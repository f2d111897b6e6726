import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'

/** The names by which expressions and band lists refer to a band. */
export type BandNames = Pick<RasterBandMetadata, 'name' | 'common_name'>

/**
 * The 0-based index of a band, or null: by its exact name, its common name if it is unique, its number as in `b4`, or its
 * name ignoring case.
 */
export function findBand(bands: readonly BandNames[], name: string): number | null {
  const exact = bands.findIndex((band) => band.name === name)
  if (exact >= 0) return exact
  const common = bands.flatMap((band, index) => (band.common_name === name ? [index] : []))
  if (common.length === 1) return common[0]!
  const number = /^[bB]([1-9]\d{0,4})$/.exec(name)?.[1]
  if (number !== undefined && Number(number) <= bands.length) return Number(number) - 1
  const matches = bands.flatMap((band, index) => (band.name?.toLowerCase() === name.toLowerCase() ? [index] : []))
  return matches.length === 1 ? matches[0]! : null
}

/**
 * The bands of a list such as `4,3,2` or `red,nir`; numbers count from 1. Returns the first unknown name if there is one.
 */
export function parseBandList(bands: readonly BandNames[], text: string): number[] | string {
  const names = text.split(',').map((name) => name.trim())
  const indexes = names.map((name) => {
    const number = /^\d{1,5}$/.test(name) ? Number(name) : null
    if (number !== null) return number >= 1 && number <= bands.length ? number - 1 : null
    return findBand(bands, name)
  })
  const unknown = indexes.indexOf(null)
  return unknown >= 0 ? (names[unknown] ?? '') : (indexes as number[])
}
