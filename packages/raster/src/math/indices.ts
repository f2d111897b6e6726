import { expressionBands, parseExpression } from './expression.ts'

/** A known index: a formula over bands by their common names (STAC `common_name`), with what is needed to show it. */
export interface SpectralIndex {
  readonly title: string
  readonly group: 'vegetation' | 'water' | 'moisture' | 'burn' | 'snow' | 'soil' | 'urban'
  readonly formula: string
  /** Typical range of values; a default for rescaling, not a limit. */
  readonly range: readonly [low: number, high: number]
  readonly colormap: string
  /** True if the formula has additive constants, so that samples must be reflectances from 0 to 1. */
  readonly needsReflectance: boolean
  /** Where the formula comes from. */
  readonly source: string
}

type Row = readonly [
  title: string,
  group: SpectralIndex['group'],
  formula: string,
  range: SpectralIndex['range'],
  colormap: string,
  samples: 'any' | 'reflectance',
  source: string,
]

/** `rededge` is the band near 705 nm, `swir16` near 1.6 µm, `swir22` near 2.2 µm. */
const ROWS: Readonly<Record<string, Row>> = {
  ndvi: [
    'Normalized difference vegetation index',
    'vegetation',
    '(nir - red) / (nir + red)',
    [-0.2, 0.9],
    'RdYlGn',
    'any',
    'Rouse et al. 1974, https://ntrs.nasa.gov/citations/19740022614',
  ],
  gndvi: [
    'Green normalized difference vegetation index',
    'vegetation',
    '(nir - green) / (nir + green)',
    [-0.2, 0.9],
    'RdYlGn',
    'any',
    'Gitelson, Kaufman & Merzlyak 1996, https://doi.org/10.1016/S0034-4257(96)00072-7',
  ],
  ndre: [
    'Normalized difference red edge index',
    'vegetation',
    '(nir - rededge) / (nir + rededge)',
    [-0.2, 0.7],
    'RdYlGn',
    'any',
    'Gitelson & Merzlyak 1994, https://doi.org/10.1016/1011-1344(93)06963-4',
  ],
  evi: [
    'Enhanced vegetation index',
    'vegetation',
    '2.5 * (nir - red) / (nir + 6 * red - 7.5 * blue + 1)',
    [-0.2, 1],
    'RdYlGn',
    'reflectance',
    'Huete et al. 1997, https://doi.org/10.1016/S0034-4257(96)00112-5',
  ],
  evi2: [
    'Enhanced vegetation index of two bands',
    'vegetation',
    '2.5 * (nir - red) / (nir + 2.4 * red + 1)',
    [-0.2, 1],
    'RdYlGn',
    'reflectance',
    'Jiang et al. 2008, https://doi.org/10.1016/j.rse.2008.06.006',
  ],
  savi: [
    'Soil-adjusted vegetation index',
    'vegetation',
    '1.5 * (nir - red) / (nir + red + 0.5)',
    [-0.2, 0.9],
    'RdYlGn',
    'reflectance',
    'Huete 1988, https://doi.org/10.1016/0034-4257(88)90106-X',
  ],
  osavi: [
    'Optimized soil-adjusted vegetation index',
    'vegetation',
    '(nir - red) / (nir + red + 0.16)',
    [-0.2, 0.8],
    'RdYlGn',
    'reflectance',
    'Rondeaux, Steven & Baret 1996, https://doi.org/10.1016/0034-4257(95)00186-7',
  ],
  msavi: [
    'Modified soil-adjusted vegetation index',
    'vegetation',
    '(2 * nir + 1 - sqrt((2 * nir + 1) ** 2 - 8 * (nir - red))) / 2',
    [-0.2, 0.9],
    'RdYlGn',
    'reflectance',
    'Qi et al. 1994, https://doi.org/10.1016/0034-4257(94)90134-1',
  ],
  arvi: [
    'Atmospherically resistant vegetation index',
    'vegetation',
    '(nir - (2 * red - blue)) / (nir + (2 * red - blue))',
    [-0.2, 0.9],
    'RdYlGn',
    'any',
    'Kaufman & Tanré 1992, https://doi.org/10.1109/36.134076',
  ],
  vari: [
    'Visible atmospherically resistant index',
    'vegetation',
    '(green - red) / (green + red - blue)',
    [-0.5, 0.5],
    'RdYlGn',
    'any',
    'Gitelson et al. 2002, https://doi.org/10.1016/S0034-4257(01)00289-9',
  ],
  gli: [
    'Green leaf index',
    'vegetation',
    '(2 * green - red - blue) / (2 * green + red + blue)',
    [-0.2, 0.4],
    'RdYlGn',
    'any',
    'Louhaichi, Borman & Johnson 2001, https://doi.org/10.1080/10106040108542184',
  ],
  ngrdi: [
    'Normalized green red difference index',
    'vegetation',
    '(green - red) / (green + red)',
    [-0.4, 0.4],
    'RdYlGn',
    'any',
    'Tucker 1979, https://doi.org/10.1016/0034-4257(79)90013-0',
  ],
  dvi: [
    'Difference vegetation index',
    'vegetation',
    'nir - red',
    [0, 0.5],
    'YlGn',
    'reflectance',
    'Tucker 1979, https://doi.org/10.1016/0034-4257(79)90013-0',
  ],
  cig: [
    'Chlorophyll index green',
    'vegetation',
    'nir / green - 1',
    [0, 8],
    'YlGn',
    'any',
    'Gitelson, Gritz & Merzlyak 2003, https://doi.org/10.1078/0176-1617-00887',
  ],
  cire: [
    'Chlorophyll index red edge',
    'vegetation',
    'nir / rededge - 1',
    [0, 5],
    'YlGn',
    'any',
    'Gitelson, Gritz & Merzlyak 2003, https://doi.org/10.1078/0176-1617-00887',
  ],
  nirv: [
    'Near-infrared reflectance of vegetation',
    'vegetation',
    'nir * (nir - red) / (nir + red)',
    [0, 0.4],
    'YlGn',
    'reflectance',
    'Badgley, Field & Berry 2017, https://doi.org/10.1126/sciadv.1602244',
  ],
  ndwi: [
    'Normalized difference water index',
    'water',
    '(green - nir) / (green + nir)',
    [-0.8, 0.8],
    'RdBu',
    'any',
    'McFeeters 1996, https://doi.org/10.1080/01431169608948714',
  ],
  mndwi: [
    'Modified normalized difference water index',
    'water',
    '(green - swir16) / (green + swir16)',
    [-0.8, 0.8],
    'RdBu',
    'any',
    'Xu 2006, https://doi.org/10.1080/01431160600589179',
  ],
  aweinsh: [
    'Automated water extraction index',
    'water',
    '4 * (green - swir16) - 0.25 * nir + 2.75 * swir22',
    [-1, 1],
    'RdBu',
    'reflectance',
    'Feyisa et al. 2014, https://doi.org/10.1016/j.rse.2013.08.029',
  ],
  aweish: [
    'Automated water extraction index with shadows',
    'water',
    'blue + 2.5 * green - 1.5 * (nir + swir16) - 0.25 * swir22',
    [-1, 1],
    'RdBu',
    'reflectance',
    'Feyisa et al. 2014, https://doi.org/10.1016/j.rse.2013.08.029',
  ],
  ndti: [
    'Normalized difference turbidity index',
    'water',
    '(red - green) / (red + green)',
    [-0.4, 0.4],
    'YlOrBr',
    'any',
    'Lacaux et al. 2007, https://doi.org/10.1016/j.rse.2006.07.012',
  ],
  ndci: [
    'Normalized difference chlorophyll index',
    'water',
    '(rededge - red) / (rededge + red)',
    [-0.2, 0.4],
    'YlGn',
    'any',
    'Mishra & Mishra 2012, https://doi.org/10.1016/j.rse.2011.10.016',
  ],
  ndmi: [
    'Normalized difference moisture index',
    'moisture',
    '(nir - swir16) / (nir + swir16)',
    [-0.6, 0.6],
    'RdYlBu',
    'any',
    'Wilson & Sader 2002, https://doi.org/10.1016/S0034-4257(01)00318-2',
  ],
  msi: [
    'Moisture stress index',
    'moisture',
    'swir16 / nir',
    [0.2, 2],
    'YlGnBu_r',
    'any',
    'Hunt & Rock 1989, https://doi.org/10.1016/0034-4257(89)90046-1',
  ],
  nbr: [
    'Normalized burn ratio',
    'burn',
    '(nir - swir22) / (nir + swir22)',
    [-0.5, 0.9],
    'RdYlGn',
    'any',
    'Key & Benson 2002, https://doi.org/10.3133/ofr0211',
  ],
  nbr2: [
    'Normalized burn ratio 2',
    'burn',
    '(swir16 - swir22) / (swir16 + swir22)',
    [-0.2, 0.5],
    'RdYlGn',
    'any',
    'USGS, https://www.usgs.gov/landsat-missions/landsat-normalized-burn-ratio-2',
  ],
  bai: [
    'Burned area index',
    'burn',
    '1 / ((0.1 - red) ** 2 + (0.06 - nir) ** 2)',
    [0, 300],
    'inferno',
    'reflectance',
    'Martín 1998, https://digital.csic.es/bitstream/10261/6426/1/Martin_Isabel_Serie_Geografica.pdf',
  ],
  ndsi: [
    'Normalized difference snow index',
    'snow',
    '(green - swir16) / (green + swir16)',
    [-0.5, 1],
    'Blues_r',
    'any',
    'Riggs, Hall & Salomonson 1994, https://doi.org/10.1109/IGARSS.1994.399618',
  ],
  bsi: [
    'Bare soil index',
    'soil',
    '((swir16 + red) - (nir + blue)) / ((swir16 + red) + (nir + blue))',
    [-0.5, 0.5],
    'YlOrBr',
    'any',
    'Rikimaru, Roy & Miyatake 2002, Tropical Ecology 43(1), 39–47',
  ],
  ndbi: [
    'Normalized difference built-up index',
    'urban',
    '(swir16 - nir) / (swir16 + nir)',
    [-0.6, 0.4],
    'OrRd',
    'any',
    'Zha, Gao & Ni 2003, https://doi.org/10.1080/01431160304987',
  ],
}

/** Spectral indices by lower-case id. */
export const SPECTRAL_INDICES: ReadonlyMap<string, SpectralIndex> = new Map(
  Object.entries(ROWS).map(([id, [title, group, formula, range, colormap, samples, source]]) => [
    id,
    { title, group, formula, range, colormap, needsReflectance: samples === 'reflectance', source },
  ]),
)

/** The common names of the bands that an index needs, in the order of its formula. */
export function spectralIndexBands(index: SpectralIndex): string[] {
  return expressionBands(parseExpression(index.formula))
}
