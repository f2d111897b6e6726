import { spectralIndicesByName, listExpressionBands, parseExpression } from '@swath/raster'
import type { AlertRuleRow } from './store.ts'

/** A word that is not the name of a function. */
const bandWord = /\b[A-Za-z_]\w*\b(?!\s*\()/g

/**
 * The expression over the bands of a raster: mapped names become band numbers (`b3`), and the names of spectral indices their
 * formulas. A mapped name is not taken for an index, and applies inside of formulas as well.
 */
export function substituteExpressionBandNames({
  expression,
  band_mapping,
}: Pick<AlertRuleRow, 'expression' | 'band_mapping'>): string {
  const mapBand = (word: string): string => (Object.hasOwn(band_mapping, word) ? `b${band_mapping[word]!}` : word)
  return expression.replaceAll(bandWord, (word) => {
    if (Object.hasOwn(band_mapping, word)) return mapBand(word)
    const index = spectralIndicesByName.get(word.toLowerCase())
    return index ? `(${index.formula.replaceAll(bandWord, mapBand)})` : word
  })
}

/** Throws a `RasterFailure` of kind `expression` unless the resolved expression is valid; returns the bands that it names. */
export const parseAlertExpression = (rule: Pick<AlertRuleRow, 'expression' | 'band_mapping'>): string[] =>
  listExpressionBands(parseExpression(substituteExpressionBandNames(rule)))
