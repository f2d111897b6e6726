import { RasterFailure } from '../../failures.ts'
import { evaluateExpression } from '../../compute/expression/evaluate.ts'
import { findFormulaSampleType } from '../../compute/expression/result-type.ts'
import type { FormulaSampleType } from '../../compute/expression/result-type.ts'
import { listExpressionBands, parseExpression } from '../../compute/expression/expression.ts'
import type { Expression } from '../../compute/expression/expression.ts'
import { spectralIndicesByName } from '../../compute/indices/indices.ts'
import { emptyNodataRange } from '../../sample-types.ts'
import type { NodataRange } from '../../sample-types.ts'
import { findNodataRange } from '../../compute/window/validity.ts'
import type { PixelRows, Raster } from '../../types.ts'
import type { ImageRowReader } from './row-reader.ts'
import type { ComputedValueRows } from './computed-band.ts'

/** A band of one of several files. */
export interface BandOfFile {
  readonly raster: number
  readonly band: number
}

export interface FormulaOptions {
  /** Bands by the names that the formula uses; default by the files' own names and colours, and `b1`, `b2` … in order. */
  readonly names?: Readonly<Record<string, BandOfFile>>
  /** True takes value × scale + offset of the bands, not the samples; default false. */
  readonly scaled?: boolean
}

/** The values of a formula in rows of an image. */
export interface FormulaValueReader {
  /** Of the values. */
  readonly type: FormulaSampleType
  /** Asked from the top downwards. */
  readonly read: (top: number, rows: number) => Promise<ComputedValueRows>
}

/** Opens rows of some bands of a file, on the grid of the image. */
export type OpenBandRows = (raster: Raster, bands: readonly number[]) => ImageRowReader

/** A formula as it stands, or by the name of a known index. */
export function resolveFormulaOrIndex(formula: string | Expression): Expression {
  if (typeof formula !== 'string') return formula
  return parseExpression(spectralIndicesByName.get(formula.toLowerCase())?.formula ?? formula)
}

/** Pixels that are computed at once: enough for a compiled formula, little enough for the processor's cache. */
const piece_pixels = 16_384

/**
 * Computes a formula pixel by pixel over the bands of files on one grid. There is no value where any band that it names has
 * none (nodata, NaN, masked or transparent), and where the result is no finite number.
 *
 * @throws RasterFailure `expression` for a name that leads to no band.
 */
export function createFormulaReader(
  rasters: readonly Raster[],
  formula: Expression,
  options: FormulaOptions,
  open: OpenBandRows,
): FormulaValueReader {
  const names = listExpressionBands(formula)
  if (names.length === 0) throw new RasterFailure('expression', 'the formula names no band')
  const places = names.map((name) => findBand(rasters, name, options.names ?? {}))
  const layers = rasters.flatMap((raster, index) => {
    const used = places.flatMap((place, plane) => (place.raster === index ? [{ plane, band: place.band }] : []))
    return used.length > 0 ? [openLayer(raster, used, options.scaled ?? false, open)] : []
  })
  const planeByName = Object.fromEntries(names.map((name, plane) => [name, plane]))
  const type = findFormulaSampleType(formula, (name) => {
    const { raster, band } = places[names.indexOf(name)]!
    const { scale, offset } = rasters[raster]!.bands[band]!
    const { sampleType } = rasters[raster]!
    return options.scaled ? { type: sampleType, scale, offset } : { type: sampleType }
  })
  const read = async (top: number, rows: number): Promise<ComputedValueRows> => {
    const sources: PixelRows[] = []
    for (const layer of layers) sources.push(await layer.read(top, rows))
    const { width } = sources[0]!
    const values = type === 'float32' ? new Float32Array(width * rows) : new Float64Array(width * rows)
    const mask = new Uint8Array(width * rows)
    for (let from = 0; from < values.length; from += piece_pixels) {
      const count = Math.min(piece_pixels, values.length - from)
      const planes = new Float64Array(count * names.length)
      const valid = new Uint8Array(count).fill(255)
      for (const [index, layer] of layers.entries()) takePixels(sources[index]!, layer, from, count, planes, valid)
      const block = { width: count, height: 1, bands: names.length, data: planes, mask: valid }
      const result = evaluateExpression(formula, block, planeByName, type)
      values.set(result.data, from)
      mask.set(result.mask, from)
    }
    return { width, rows, values, mask }
  }
  return { type, read }
}

interface Layer {
  readonly read: ImageRowReader
  readonly nodata: NodataRange | null
  /** For each band that is read: where its values go, and what they mean. */
  readonly bands: readonly { readonly plane: number; readonly scale: number; readonly offset: number }[]
}

function openLayer(
  raster: Raster,
  used: readonly { readonly plane: number; readonly band: number }[],
  scaled: boolean,
  open: OpenBandRows,
): Layer {
  const bands = used.map(({ plane, band }) => {
    const { scale, offset } = raster.bands[band]!
    return scaled ? { plane, scale, offset } : { plane, scale: 1, offset: 0 }
  })
  const read = open(
    raster,
    used.map(({ band }) => band),
  )
  return { read, bands, nodata: findNodataRange(raster) }
}

// Samples of any type go through one array of 64-bit numbers, so that the loops see one kind of array only.
function takePixels(
  { data, mask, bands }: PixelRows,
  layer: Layer,
  from: number,
  count: number,
  planes: Float64Array,
  valid: Uint8Array,
): void {
  const samples = new Float64Array(count * bands)
  samples.set(data.subarray(from * bands, (from + count) * bands))
  for (const [band, { plane, scale, offset }] of layer.bands.entries())
    takeBand(
      samples,
      bands,
      band,
      layer.nodata,
      planes.subarray(plane * count, (plane + 1) * count),
      scale,
      offset,
      valid,
    )
  if (mask) for (let pixel = 0; pixel < count; pixel++) if (mask[from + pixel] === 0) valid[pixel] = 0
}

function takeBand(
  samples: Float64Array,
  bands: number,
  band: number,
  nodata: NodataRange | null,
  plane: Float64Array,
  scale: number,
  offset: number,
  valid: Uint8Array,
): void {
  const { lowest, highest } = nodata ?? emptyNodataRange
  for (let pixel = 0, at = band; pixel < plane.length; pixel++, at += bands) {
    const sample = samples[at]!
    if ((sample >= lowest && sample <= highest) || sample !== sample) valid[pixel] = 0
    plane[pixel] = sample * scale + offset
  }
}

function findBand(rasters: readonly Raster[], name: string, given: Readonly<Record<string, BandOfFile>>): BandOfFile {
  const all = rasters.flatMap((raster, index) => raster.bands.map((info, band) => ({ raster: index, band, info })))
  const wanted = name.toLowerCase()
  const numbered = /^b([1-9]\d*)$/.exec(wanted)
  const found =
    (Object.hasOwn(given, name) ? given[name] : undefined) ??
    all.find(({ info }) => info.name?.toLowerCase() === wanted) ??
    all.find(({ info }) => info.colour === wanted) ??
    (numbered ? all[Number(numbered[1]) - 1] : undefined)
  if (!found || !rasters[found.raster]?.bands[found.band])
    throw new RasterFailure('expression', `the formula names “${name}”, which is not a band of this image`)
  return { raster: found.raster, band: found.band }
}
