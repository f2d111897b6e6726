import { spectralIndicesByName, listExpressionBands, parseExpression } from '@swath/raster'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import { formatBandNotation } from '../tiles/style/item-presets.ts'
import type { AlertRuleRow } from './store.ts'

type IndexBand = Pick<RasterBandMetadata, 'name' | 'common_name' | 'scale' | 'offset'>

/** A word that is not the name of a function. */
const bandWord = /\b[A-Za-z_]\w*\b(?!\s*\()/g

/**
 * The expression over the bands of a raster: mapped names become band numbers (`b3`), and the names of spectral indices their
 * formulas, in which scale and offset of the bands apply: an index is one of reflectances. A mapped name is not taken for an index,
 * and applies inside of formulas as well.
 *
 * @param bands those of the raster; without them names are as they are, for a rule that has no raster yet.
 */
export function substituteExpressionBandNames(
  { expression, band_mapping }: Pick<AlertRuleRow, 'expression' | 'band_mapping'>,
  bands: readonly IndexBand[] = [],
): string {
  const mapBand = (word: string): string => (Object.hasOwn(band_mapping, word) ? `b${band_mapping[word]!}` : word)
  const scaleBand = (word: string): string => {
    const number =
      band_mapping[word] ?? 1 + bands.findIndex(({ name, common_name }) => [name, common_name].includes(word))
    const band = bands[number - 1]
    return band && (band.scale !== 1 || band.offset !== 0) ? formatBandNotation(band, number) : mapBand(word)
  }
  return expression.replaceAll(bandWord, (word) => {
    if (Object.hasOwn(band_mapping, word)) return mapBand(word)
    const index = spectralIndicesByName.get(word.toLowerCase())
    return index ? `(${index.formula.replaceAll(bandWord, scaleBand)})` : word
  })
}

/** Throws a `RasterFailure` of kind `expression` unless the resolved expression is valid; returns the bands that it names. */
export const parseAlertExpression = (rule: Pick<AlertRuleRow, 'expression' | 'band_mapping'>): string[] =>
  listExpressionBands(parseExpression(substituteExpressionBandNames(rule)))
