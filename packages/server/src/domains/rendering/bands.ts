import type { BandFacts } from '../items/raster-facts.ts'

/** The names by which expressions and band lists refer to a band. */
export type NamedBand = Pick<BandFacts, 'name' | 'common_name'>

/**
 * The 0-based index of a band, or null: by its exact name, its common name if it is unique, its number as in `b4`, or its
 * name ignoring case.
 */
export function findBand(bands: readonly NamedBand[], word: string): number | null {
  const exact = bands.findIndex((band) => band.name === word)
  if (exact >= 0) return exact
  const common = bands.flatMap((band, index) => (band.common_name === word ? [index] : []))
  if (common.length === 1) return common[0]!
  const number = /^[bB]([1-9]\d{0,4})$/.exec(word)?.[1]
  if (number !== undefined && Number(number) <= bands.length) return Number(number) - 1
  const folded = bands.flatMap((band, index) => (band.name?.toLowerCase() === word.toLowerCase() ? [index] : []))
  return folded.length === 1 ? folded[0]! : null
}

/**
 * The bands of a list such as `4,3,2` or `red,nir`; numbers count from 1. Returns the first unknown name if there is one.
 */
export function readBands(bands: readonly NamedBand[], text: string): number[] | string {
  const words = text.split(',').map((word) => word.trim())
  const found = words.map((word) => {
    const number = /^\d{1,5}$/.test(word) ? Number(word) : null
    if (number !== null) return number >= 1 && number <= bands.length ? number - 1 : null
    return findBand(bands, word)
  })
  const unknown = found.indexOf(null)
  return unknown >= 0 ? (words[unknown] ?? '') : (found as number[])
}
