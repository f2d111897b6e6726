import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseColormap } from '../colour/colormap.ts'
import type { PixelBlock } from '../types.ts'
import { evaluateExpression } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { SPECTRAL_INDICES, spectralIndexBands } from './indices.ts'

const NAMES = ['blue', 'green', 'red', 'rededge', 'nir', 'swir16', 'swir22']

/** Reflectances in the order of NAMES: a meadow, clear water, dry soil, snow. */
const SPECTRA = [
  [0.03, 0.07, 0.04, 0.12, 0.45, 0.22, 0.11],
  [0.06, 0.05, 0.03, 0.025, 0.01, 0.005, 0.003],
  [0.1, 0.14, 0.2, 0.23, 0.28, 0.36, 0.31],
  [0.92, 0.9, 0.88, 0.86, 0.8, 0.12, 0.1],
]

type Bands = Record<'B' | 'G' | 'R' | 'RE1' | 'N' | 'S1' | 'S2', number>

/**
 * The formulas as the list of awesome-spectral-indices has them, with its constants; only the sign before the γ of ARVI is
 * that of Kaufman and Tanré, which the list turned around.
 */
const LISTED: Readonly<Record<string, (bands: Bands) => number>> = {
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
}

test('every index gives what the list of indices gives for it', () => {
  assert.deepEqual([...SPECTRAL_INDICES.keys()].sort(), Object.keys(LISTED).sort())
  const data = Float64Array.from(NAMES.flatMap((_, band) => SPECTRA.map((spectrum) => spectrum[band]!)))
  const mask = new Uint8Array(SPECTRA.length).fill(255)
  const block: PixelBlock = { width: SPECTRA.length, height: 1, bands: NAMES.length, data, mask }
  const places = new Map(NAMES.map((name, place) => [name, place]))
  for (const [id, index] of SPECTRAL_INDICES) {
    const values = evaluateExpression(parseExpression(index.formula), block, places).data
    for (const [i, [B, G, R, RE1, N, S1, S2]] of SPECTRA.entries()) {
      const wanted = LISTED[id]!({ B: B!, G: G!, R: R!, RE1: RE1!, N: N!, S1: S1!, S2: S2! })
      assert.ok(
        Math.abs(values[i]! - wanted) < 1e-5 * Math.max(1, Math.abs(wanted)),
        `${id} ${i}: ${values[i]}, ${wanted}`,
      )
    }
  }
})

test('an index whose value hangs on the scale of the samples says so', () => {
  const values = (formula: string, scale: number): number => {
    const data = Float64Array.from(SPECTRA[0]!, (value) => value * scale)
    const block: PixelBlock = { width: 1, height: 1, bands: NAMES.length, data, mask: Uint8Array.of(255) }
    return evaluateExpression(parseExpression(formula), block, new Map(NAMES.map((name, place) => [name, place])))
      .data[0]!
  }
  for (const [id, { formula, needsReflectance }] of SPECTRAL_INDICES)
    assert.equal(Math.abs(values(formula, 1) - values(formula, 10_000)) > 1e-6, needsReflectance, id)
})

test('every index can be shown: bands by common names, a colormap, a rising range, a source', () => {
  for (const [id, index] of SPECTRAL_INDICES) {
    assert.match(id, /^[a-z][a-z0-9]*$/)
    assert.ok(
      spectralIndexBands(index).every((name) => NAMES.includes(name)),
      id,
    )
    assert.equal(parseColormap(index.colormap).kind, 'ramp')
    assert.ok(index.range[0] < index.range[1])
    assert.match(index.source, /\d/)
  }
})
