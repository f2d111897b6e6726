import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseColormap } from '../../render/style/colormap.ts'
import type { PixelBlock } from '../../types.ts'
import { evaluateExpression } from '../expression/evaluate.ts'
import { parseExpression } from '../expression/expression.ts'
import { spectralIndicesByName, listSpectralIndexBands } from './indices.ts'

const bandNames = [
  'blue',
  'green',
  'red',
  'rededge',
  'nir',
  'swir16',
  'swir22',
  'coastal',
  'rededge075',
  'rededge078',
  'nir08',
]

/** Reflectances in the order of `bandNames`: a meadow, clear water, dry soil, snow. */
const spectra = [
  [0.03, 0.07, 0.04, 0.12, 0.45, 0.22, 0.11, 0.025, 0.33, 0.41, 0.47],
  [0.06, 0.05, 0.03, 0.025, 0.01, 0.005, 0.003, 0.065, 0.016, 0.013, 0.009],
  [0.1, 0.14, 0.2, 0.23, 0.28, 0.36, 0.31, 0.08, 0.25, 0.27, 0.29],
  [0.92, 0.9, 0.88, 0.86, 0.8, 0.12, 0.1, 0.93, 0.84, 0.82, 0.78],
]

const symbols = ['B', 'G', 'R', 'RE1', 'N', 'S1', 'S2', 'A', 'RE2', 'RE3', 'N2'] as const
type Bands = Record<(typeof symbols)[number], number>

/**
 * The formulas as the list of awesome-spectral-indices has them, with its constants; only the sign before the γ of ARVI is
 * that of Kaufman and Tanré, which the list turned around.
 */
const formulasByName: Readonly<Record<string, (bands: Bands) => number>> = {
  ndvi: ({ N, R }) => (N - R) / (N + R),
  gndvi: ({ N, G }) => (N - G) / (N + G),
  ndre: ({ N, RE1 }) => (N - RE1) / (N + RE1),
  evi: ({ N, R, B }) => (2.5 * (N - R)) / (N + 6 * R - 7.5 * B + 1),
  evi2: ({ N, R }) => (2.5 * (N - R)) / (N + 2.4 * R + 1),
  savi: ({ N, R }) => ((1 + 0.5) * (N - R)) / (N + R + 0.5),
  osavi: ({ N, R }) => (N - R) / (N + R + 0.16),
  msavi: ({ N, R }) => 0.5 * (2 * N + 1 - ((2 * N + 1) ** 2 - 8 * (N - R)) ** 0.5),
  arvi: ({ N, R, B }) => (N - (R - 1 * (B - R))) / (N + (R - 1 * (B - R))),
  vari: ({ G, R, B }) => (G - R) / (G + R - B),
  gli: ({ G, R, B }) => (2 * G - R - B) / (2 * G + R + B),
  ngrdi: ({ G, R }) => (G - R) / (G + R),
  dvi: ({ N, R }) => N - R,
  cig: ({ N, G }) => N / G - 1,
  cire: ({ N, RE1 }) => N / RE1 - 1,
  nirv: ({ N, R }) => ((N - R) / (N + R)) * N,
  ndwi: ({ G, N }) => (G - N) / (G + N),
  mndwi: ({ G, S1 }) => (G - S1) / (G + S1),
  aweinsh: ({ G, N, S1, S2 }) => 4 * (G - S1) - 0.25 * N + 2.75 * S2,
  aweish: ({ B, G, N, S1, S2 }) => B + 2.5 * G - 1.5 * (N + S1) - 0.25 * S2,
  ndti: ({ R, G }) => (R - G) / (R + G),
  ndci: ({ RE1, R }) => (RE1 - R) / (RE1 + R),
  ndmi: ({ N, S1 }) => (N - S1) / (N + S1),
  msi: ({ S1, N }) => S1 / N,
  nbr: ({ N, S2 }) => (N - S2) / (N + S2),
  nbr2: ({ S1, S2 }) => (S1 - S2) / (S1 + S2),
  bai: ({ R, N }) => 1 / ((0.1 - R) ** 2 + (0.06 - N) ** 2),
  ndsi: ({ G, S1 }) => (G - S1) / (G + S1),
  bsi: ({ S1, R, N, B }) => (S1 + R - (N + B)) / (S1 + R + (N + B)),
  ndbi: ({ S1, N }) => (S1 - N) / (S1 + N),
  afri1600: ({ N, S1 }) => (N - 0.66 * S1) / (N + 0.66 * S1),
  afri2100: ({ N, S2 }) => (N - 0.5 * S2) / (N + 0.5 * S2),
  ari: ({ G, RE1 }) => 1 / G - 1 / RE1,
  ari2: ({ N, G, RE1 }) => N * (1 / G - 1 / RE1),
  bndvi: ({ N, B }) => (N - B) / (N + B),
  cvi: ({ N, G, R }) => (N * R) / G ** 2,
  exg: ({ G, R, B }) => 2 * G - R - B,
  fcvi: ({ N, G, R, B }) => N - (R + G + B) / 3,
  gbndvi: ({ N, G, B }) => (N - (G + B)) / (N + (G + B)),
  gcc: ({ G, R, B }) => G / (R + G + B),
  gosavi: ({ N, G }) => (N - G) / (N + G + 0.16),
  grndvi: ({ N, G, R }) => (N - (G + R)) / (N + (G + R)),
  gsavi: ({ N, G }) => ((1 + 0.5) * (N - G)) / (N + G + 0.5),
  ipvi: ({ N, R }) => N / (N + R),
  ireci: ({ R, RE1, RE2, RE3 }) => (RE3 - R) / (RE1 / RE2),
  mcari: ({ G, R, RE1 }) => (RE1 - R - 0.2 * (RE1 - G)) * (RE1 / R),
  mcari1: ({ N, G, R }) => 1.2 * (2.5 * (N - R) - 1.3 * (N - G)),
  mgrvi: ({ G, R }) => (G ** 2 - R ** 2) / (G ** 2 + R ** 2),
  mnli: ({ N, R }) => ((1 + 0.5) * (N ** 2 - R)) / (N ** 2 + R + 0.5),
  msr: ({ N, R }) => (N / R - 1) / (N / R + 1) ** 0.5,
  mtci: ({ R, RE1, RE2 }) => (RE2 - RE1) / (RE1 - R),
  mtvi2: ({ N, G, R }) =>
    (1.5 * (1.2 * (N - G) - 2.5 * (R - G))) / ((2 * N + 1) ** 2 - (6 * N - 5 * R ** 0.5) - 0.5) ** 0.5,
  nddi: ({ N, G, R }) => ((N - R) / (N + R) - (G - N) / (G + N)) / ((N - R) / (N + R) + (G - N) / (G + N)),
  ndpi: ({ N, R, S1 }) => (N - (0.74 * R + (1 - 0.74) * S1)) / (N + (0.74 * R + (1 - 0.74) * S1)),
  ndvi705: ({ RE1, RE2 }) => (RE2 - RE1) / (RE2 + RE1),
  ndyi: ({ G, B }) => (G - B) / (G + B),
  nli: ({ N, R }) => (N ** 2 - R) / (N ** 2 + R),
  nmdi: ({ N, S1, S2 }) => (N - (S1 - S2)) / (N + (S1 - S2)),
  psri: ({ R, RE2, B }) => (R - B) / RE2,
  rdvi: ({ N, R }) => (N - R) / (N + R) ** 0.5,
  rgbvi: ({ G, R, B }) => (G ** 2 - B * R) / (G ** 2 + B * R),
  s2rep: ({ R, RE1, RE2, RE3 }) => 705 + 35 * (((RE3 + R) / 2 - RE1) / (RE2 - RE1)),
  seli: ({ RE1, N2 }) => (N2 - RE1) / (N2 + RE1),
  sipi: ({ N, R, A }) => (N - A) / (N - R),
  sr: ({ N, R }) => N / R,
  tcari: ({ G, R, RE1 }) => 3 * (RE1 - R - 0.2 * (RE1 - G) * (RE1 / R)),
  tci: ({ G, R, RE1 }) => 1.2 * (RE1 - G) - 1.5 * (R - G) * (RE1 / R) ** 0.5,
  tgi: ({ G, R, B }) => -0.5 * (190 * (R - G) - 120 * (R - B)),
  tvi: ({ N, R }) => ((N - R) / (N + R) + 0.5) ** 0.5,
  vari700: ({ R, RE1, B }) => (RE1 - 1.7 * R + 0.7 * B) / (RE1 + 1.3 * R - 1.3 * B),
  wdrvi: ({ N, R }) => (0.1 * N - R) / (0.1 * N + R),
  andwi: ({ N, G, R, S1, S2, B }) => (B + G + R - N - S1 - S2) / (B + G + R + N + S1 + S2),
  mbwi: ({ N, G, R, S1, S2 }) => 2 * G - R - N - S1 - S2,
  muwir: ({ N, G, S1, S2, B }) =>
    -4 * ((B - G) / (B + G)) + 2 * ((G - N) / (G + N)) + 2 * ((G - S2) / (G + S2)) - (G - S1) / (G + S1),
  ndponi: ({ G, S1 }) => (S1 - G) / (S1 + G),
  nwi: ({ N, S1, S2, B }) => (B - (N + S1 + S2)) / (B + (N + S1 + S2)),
  wi2015: ({ N, G, R, S1, S2 }) => 1.7204 + 171 * G + 3 * R - 70 * N - 45 * S1 - 71 * S2,
  wri: ({ N, G, R, S1 }) => (G + R) / (N + S1),
  bais2: ({ R, RE2, RE3, N2, S2 }) => (1 - ((RE2 * RE3 * N2) / R) ** 0.5) * ((S2 - N2) / (S2 + N2) ** 0.5 + 1),
  csi: ({ N, S2 }) => N / S2,
  mirbi: ({ S1, S2 }) => 10 * S2 - 9.8 * S1 + 2,
  nbrplus: ({ G, N2, S2, B }) => (S2 - N2 - G - B) / (S2 + N2 + G + B),
  ndsaii: ({ R, S1 }) => (R - S1) / (R + S1),
  s3: ({ N, R, S1 }) => (N * (R - S1)) / ((N + R) * (N + S1)),
  swi: ({ N, G, S1 }) => (G * (N - S1)) / ((G + N) * (N + S1)),
  bixs: ({ G, R }) => ((G ** 2 + R ** 2) / 2) ** 0.5,
  dbsi: ({ N, G, R, S1 }) => (S1 - G) / (S1 + G) - (N - R) / (N + R),
  mbi: ({ N, S1, S2 }) => (S1 - S2 - N) / (S1 + S2 + N) + 0.5,
  nsdsi1: ({ S1, S2 }) => (S1 - S2) / S1,
  blfei: ({ G, R, S1, S2 }) => ((G + R + S2) / 3 - S1) / ((G + R + S2) / 3 + S1),
  ui: ({ N, S2 }) => (S2 - N) / (S2 + N),
  gemi: ({ N, R }) => {
    const eta = (2 * (N ** 2 - R ** 2) + 1.5 * N + 0.5 * R) / (N + R + 0.5)
    return eta * (1 - 0.25 * eta) - (R - 0.125) / (1 - R)
  },
  ibi: ({ N, G, R, S1 }) => {
    const others = (((N - R) * (1 + 0.5)) / (N + R + 0.5) + (G - S1) / (G + S1)) / 2
    const ndbi = (S1 - N) / (S1 + N)
    return (ndbi - others) / (ndbi + others)
  },
  vibi: ({ N, R, S1 }) => {
    const ndvi = (N - R) / (N + R)
    return ndvi / (ndvi + (S1 - N) / (S1 + N))
  },
}

test('every index gives what the list of indices gives for it', () => {
  assert.deepEqual([...spectralIndicesByName.keys()].sort(), Object.keys(formulasByName).sort())
  const data = Float64Array.from(bandNames.flatMap((_, band) => spectra.map((spectrum) => spectrum[band]!)))
  const mask = new Uint8Array(spectra.length).fill(255)
  const block: PixelBlock = { width: spectra.length, height: 1, bands: bandNames.length, data, mask }
  const places = new Map(bandNames.map((name, place) => [name, place]))
  for (const [id, index] of spectralIndicesByName) {
    const values = evaluateExpression(parseExpression(index.formula), block, places).data
    for (const [i, spectrum] of spectra.entries()) {
      const bands = Object.fromEntries(symbols.map((symbol, at) => [symbol, spectrum[at]!])) as Bands
      const wanted = formulasByName[id]!(bands)
      assert.ok(
        Math.abs(values[i]! - wanted) < 1e-5 * Math.max(1, Math.abs(wanted)),
        `${id} ${i}: ${values[i]}, ${wanted}`,
      )
    }
  }
})

test('an index whose value hangs on the scale of the samples says so', () => {
  const values = (formula: string, scale: number): number => {
    const data = Float64Array.from(spectra[0]!, (value) => value * scale)
    const block: PixelBlock = { width: 1, height: 1, bands: bandNames.length, data, mask: Uint8Array.of(255) }
    return evaluateExpression(parseExpression(formula), block, new Map(bandNames.map((name, place) => [name, place])))
      .data[0]!
  }
  for (const [id, { formula, needsReflectance }] of spectralIndicesByName)
    assert.equal(Math.abs(values(formula, 1) - values(formula, 10_000)) > 1e-6, needsReflectance, id)
})

test('every index can be shown: bands by common names, a colormap, a rising range, a source', () => {
  for (const [id, index] of spectralIndicesByName) {
    assert.match(id, /^[a-z][a-z0-9]*$/)
    assert.ok(
      listSpectralIndexBands(index).every((name) => bandNames.includes(name)),
      id,
    )
    assert.equal(parseColormap(index.colormap).kind, 'ramp')
    assert.ok(index.range[0] < index.range[1])
    assert.match(index.source, /\d/)
  }
})
