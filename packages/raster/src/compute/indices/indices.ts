import { expressionBands, parseExpression } from '../expression/expression.ts'
import type { SpectralIndexRow } from './index-row.ts'
import { redEdgeIndices, visibleVegetationIndices } from './red-edge-indices.ts'
import { burnIndices, soilIndices, urbanIndices } from './surface-indices.ts'
import { infraredVegetationIndices } from './vegetation-indices.ts'
import { moistureIndices, snowIndices, waterIndices } from './water-indices.ts'

/** A known index: a formula over bands by their common names (STAC `common_name`), with what is needed to show it. */
export interface SpectralIndex {
  readonly title: string
  readonly group: SpectralIndexGroup
  readonly formula: string
  /** Typical range of values; a default for rescaling, not a limit. */
  readonly range: readonly [low: number, high: number]
  readonly colormap: string
  /** True if the formula has additive constants, so that samples must be reflectances from 0 to 1. */
  readonly needsReflectance: boolean
  /** Where the formula comes from. */
  readonly source: string
}

export type SpectralIndexGroup = 'vegetation' | 'water' | 'moisture' | 'burn' | 'snow' | 'soil' | 'urban'

/**
 * Beside the common names that every catalogue uses, the formulas name the bands of the red edge: `rededge` is the band near
 * 705 nm, `rededge075` near 740 nm, `rededge078` near 783 nm, and `nir08` the narrow one near 865 nm. `swir16` is near 1.6 µm,
 * `swir22` near 2.2 µm.
 */
const groups: Readonly<Record<SpectralIndexGroup, Readonly<Record<string, SpectralIndexRow>>>> = {
  vegetation: { ...infraredVegetationIndices, ...redEdgeIndices, ...visibleVegetationIndices },
  water: waterIndices,
  moisture: moistureIndices,
  burn: burnIndices,
  snow: snowIndices,
  soil: soilIndices,
  urban: urbanIndices,
}

const toIndex = (
  group: SpectralIndexGroup,
  [title, formula, range, colormap, samples, source]: SpectralIndexRow,
): SpectralIndex => ({ title, group, formula, range, colormap, needsReflectance: samples === 'reflectance', source })

/** Spectral indices by lower-case id. */
export const SPECTRAL_INDICES: ReadonlyMap<string, SpectralIndex> = new Map(
  Object.entries(groups).flatMap(([group, rows]) =>
    Object.entries(rows).map(([id, row]) => [id, toIndex(group as SpectralIndexGroup, row)] as const),
  ),
)

/** The common names of the bands that an index needs, in the order of its formula. */
export function spectralIndexBands(index: SpectralIndex): string[] {
  return expressionBands(parseExpression(index.formula))
}
