import type { RasterBandMetadata } from '../../items/assets/raster-metadata.ts'
import { listPresetsForBands } from '../../visualization/presets.ts'
import type { StyleParameters } from './render-style.ts'

type ScaledBand = Pick<RasterBandMetadata, 'common_name' | 'scale' | 'offset'>

/** The first band with each common name, counted from 1. */
export const indexBandsByCommonName = (
  bands: readonly Pick<RasterBandMetadata, 'common_name'>[],
): Record<string, number> =>
  Object.fromEntries(
    bands.flatMap(({ common_name }, index) => (common_name === null ? [] : [[common_name, index + 1]])).toReversed(),
  )

/** A band in an expression, with its scale and offset applied. */
export function formatBandNotation({ scale, offset }: ScaledBand, number: number): string {
  const scaled = scale === 1 ? `b${number}` : `b${number} * ${decimal(scale)}`
  if (offset !== 0) return `(${scaled} ${offset < 0 ? '-' : '+'} ${decimal(Math.abs(offset))})`
  return scale === 1 ? scaled : `(${scaled})`
}

const decimal = (value: number): string => String(value)

/** The style parameters of a preset of `visualization.list_for` for these bands; null for an unknown preset. */
export function buildPresetParameters(id: string, bands: readonly ScaledBand[]): StyleParameters | null {
  const request = { band_roles: indexBandsByCommonName(bands), data_type: bands.length === 1 ? 'dem' : 'raster' }
  const { visualizations } = listPresetsForBands({ ...request, render_params: {}, asset: null }, (band) =>
    formatBandNotation(bands[band - 1]!, band),
  )
  const preset = visualizations.find((candidate) => candidate.id === id.toLowerCase())
  if (!preset) return null
  const { expression, rescale, colormap } = preset
  return { bands: preset.bands?.join(',') ?? null, expression, rescale, colormap }
}
