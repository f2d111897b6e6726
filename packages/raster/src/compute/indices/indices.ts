import { listExpressionBands, parseExpression } from '../expression/expression.ts'
import { readTsvFile } from '../../tsv-file.ts'

/** An index of the registry: a formula over bands by their common names (STAC `common_name`), and how to render it. */
export interface SpectralIndexDefinition {
  readonly title: string
  readonly group: SpectralIndexGroup
  readonly formula: string
  /** Typical range of values; a default for rescaling, not a limit. */
  readonly range: readonly [low: number, high: number]
  readonly colormap: string
  /** True if the formula has additive constants, so that samples must be reflectances from 0 to 1. */
  readonly needsReflectance: boolean
  /** Source of the formula. */
  readonly source: string
}

type SpectralIndexGroup = 'vegetation' | 'water' | 'moisture' | 'burn' | 'snow' | 'soil' | 'urban'

type Column = 'id' | 'group' | 'title' | 'formula' | 'low' | 'high' | 'colormap' | 'samples' | 'source'

/**
 * Spectral indices by lower-case id, from `spectral-indices.tsv`. Beside the common names that every catalogue uses, the
 * formulas name the bands of the red edge: `rededge` is the band near 705 nm, `rededge075` near 740 nm, `rededge078` near
 * 783 nm, and `nir08` the narrow one near 865 nm. `swir16` is near 1.6 µm, `swir22` near 2.2 µm. The column `samples` is
 * `reflectance` where additive constants need samples from 0 to 1.
 */
export const spectralIndicesByName: ReadonlyMap<string, SpectralIndexDefinition> = new Map(
  readTsvFile<Column>(new URL('./spectral-indices.tsv', import.meta.url)).map(
    ({ id, group, title, formula, low, high, colormap, samples, source }) => [
      id,
      {
        title,
        group: group as SpectralIndexGroup,
        formula,
        range: [Number(low), Number(high)],
        colormap,
        needsReflectance: samples === 'reflectance',
        source,
      },
    ],
  ),
)

/** The common names of the bands that an index needs, in the order of its formula. */
export function listSpectralIndexBands(index: SpectralIndexDefinition): string[] {
  return listExpressionBands(parseExpression(index.formula))
}
