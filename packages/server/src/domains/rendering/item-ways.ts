import type { BandFacts } from '../items/raster-facts.ts'
import { waysFor } from '../visualization/ways.ts'
import type { AskedLook } from './look.ts'

type MeasuredBand = Pick<BandFacts, 'common_name' | 'scale' | 'offset'>

/** The first band with each common name, counted from 1. */
export const bandRolesOf = (bands: readonly Pick<BandFacts, 'common_name'>[]): Record<string, number> =>
  Object.fromEntries(
    bands.flatMap(({ common_name }, index) => (common_name === null ? [] : [[common_name, index + 1]])).toReversed(),
  )

/** A band in an expression, with its scale and offset applied. */
function writeBand({ scale, offset }: MeasuredBand, number: number): string {
  const scaled = scale === 1 ? `b${number}` : `b${number} * ${decimal(scale)}`
  if (offset !== 0) return `(${scaled} ${offset < 0 ? '-' : '+'} ${decimal(Math.abs(offset))})`
  return scale === 1 ? scaled : `(${scaled})`
}

const decimal = (value: number): string => String(value)

/** The style parameters of a preset of `visualization.list_for` for these bands; null for an unknown preset. */
export function wordsOfWay(id: string, bands: readonly MeasuredBand[]): AskedLook | null {
  const request = { band_roles: bandRolesOf(bands), data_type: bands.length === 1 ? 'dem' : 'raster' }
  const { visualizations } = waysFor({ ...request, render_params: {}, asset: null }, (band) =>
    writeBand(bands[band - 1]!, band),
  )
  const way = visualizations.find((one) => one.id === id.toLowerCase())
  if (!way) return null
  const { expression, rescale, colormap } = way
  return { bands: way.bands?.join(',') ?? null, expression, rescale, colormap }
}
