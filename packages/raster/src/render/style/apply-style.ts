import { type IndexedSamples, mapSamplesToColours } from './indexed.ts'
import { applyColourOperations } from './colour-formula.ts'
import { type RescaleRange, checkRescaleRanges, rescaleSamples } from './stretch.ts'
import { encodeHeightColour, encodeHeights } from './terrain.ts'
import { type RenderedImage, isMaskOpaque, setRgbaAlpha, setGrayAlpha } from '../encode/rendered-image.ts'
import { RasterFailure } from '../../failures.ts'
import { evaluateExpression } from '../../compute/expression/evaluate.ts'
import type { PixelBlock, SampleArray } from '../../types.ts'
import type { RasterBandStyle, RasterExpressionStyle, RasterStyle, RasterTerrainStyle } from './render-style.ts'

const max_entries = 256

/**
 * A palette image. Transparent pixels (masked, or with a colour of alpha 0) are entry 0, and the colours that are used
 * follow in their order. An image of more than 256 entries is RGBA.
 */
function applyPalette(width: number, height: number, indexed: IndexedSamples, mask: Uint8Array): RenderedImage {
  const words = new Uint32Array(Uint8Array.from(indexed.palette).buffer)
  for (let entry = 0; entry < words.length; entry++) if (indexed.palette[entry * 4 + 3] === 0) words[entry] = 0
  if (words.length <= max_entries && !words.includes(0) && isMaskOpaque(mask) && indexed.indices instanceof Uint8Array)
    return { width, height, kind: 'palette', data: indexed.indices, palette: indexed.palette }
  const { used, hasHoles } = usedEntries(indexed.indices, words, mask)
  const count = used.length + (hasHoles ? 1 : 0)
  if (count > max_entries) return { width, height, kind: 'rgba', data: expandPalette(indexed.indices, words, mask) }
  const first = hasHoles ? 1 : 0
  const renumbered = new Uint8Array(words.length)
  const palette = new Uint32Array(count)
  for (const [i, entry] of used.entries()) {
    renumbered[entry] = first + i
    palette[first + i] = words[entry]!
  }
  const data = renumber(indexed.indices, renumbered, mask)
  return { width, height, kind: 'palette', data, palette: new Uint8Array(palette.buffer) }
}

/** Entries that valid pixels have and that are not transparent, in rising order, and whether there are other pixels. */
function usedEntries(
  indices: Uint8Array | Uint16Array,
  words: Uint32Array,
  mask: Uint8Array,
): { used: number[]; hasHoles: boolean } {
  // Place 0 is for pixels that the mask leaves out. Only written to, never read: reading back what was just written waits.
  const seen = new Uint8Array(words.length + 1)
  for (let i = 0; i < indices.length; i++) seen[(indices[i]! + 1) & -((mask[i]! + 255) >> 8)] = 1
  const all = Array.from(words.keys()).filter((entry) => seen[entry + 1] === 1)
  const used = all.filter((entry) => words[entry] !== 0)
  return { used, hasHoles: used.length < all.length || seen[0] === 1 }
}

function renumber(indices: Uint8Array | Uint16Array, renumbered: Uint8Array, mask: Uint8Array): Uint8Array {
  const data = new Uint8Array(indices.length)
  // All bits where the mask is not 0, without a branch.
  for (let i = 0; i < data.length; i++) data[i] = renumbered[indices[i]!]! & -((mask[i]! + 255) >> 8)
  return data
}

function expandPalette(indices: Uint8Array | Uint16Array, words: Uint32Array, mask: Uint8Array): Uint8Array {
  const out = new Uint32Array(indices.length)
  for (let i = 0; i < out.length; i++) out[i] = words[indices[i]!]! & -((mask[i]! + 255) >> 8)
  return new Uint8Array(out.buffer)
}

const byteRange: readonly RescaleRange[] = [[0, 255]]

/**
 * Applies a style to samples: gray, RGB, or palette indices if a colormap is used. Invalid pixels are transparent and have no
 * colour; if all are valid there is no alpha channel.
 *
 * @throws RasterFailure `request` for a style that does not fit the block, `expression` for an invalid expression, `cancelled`.
 */
export function applyStyle(block: PixelBlock, style: RasterStyle, signal?: AbortSignal): RenderedImage {
  if (style.kind === 'terrain') return renderTerrain(block, style)
  const values =
    style.kind === 'expression' ? evaluateExpression(style.expression, block, style.bandIndexByName) : block
  const places = style.kind === 'expression' ? [0] : (style.bandIndexes ?? everyBand(block))
  if (!style.colormap) return renderBands(values, places, style, signal)
  if (places.length !== 1) throw new RasterFailure('request', 'a colormap colours one band')
  const ranges = style.ranges ?? byteRange
  checkRescaleRanges(ranges, 1, style)
  const indexed = mapSamplesToColours(bandOf(values, places[0]!), style.colormap, ranges[0]!, style)
  return applyPalette(values.width, values.height, indexed, values.mask)
}

const everyBand = (block: PixelBlock): number[] => Array.from({ length: block.bands }, (_, band) => band)

function bandOf({ data, width, height, bands }: PixelBlock, band: number): SampleArray {
  if (!(Number.isInteger(band) && band >= 0 && band < bands))
    throw new RasterFailure('request', `there is no band ${band}; the image has ${bands}`)
  return data.subarray(band * width * height, (band + 1) * width * height)
}

function renderBands(
  block: PixelBlock,
  places: readonly number[],
  style: RasterBandStyle | RasterExpressionStyle,
  signal: AbortSignal | undefined,
): RenderedImage {
  const { ranges = byteRange, colourOperations = [] } = style
  if (places.length !== 1 && places.length !== 3)
    throw new RasterFailure('request', `an image is rendered from one band or three, not from ${places.length}`)
  checkRescaleRanges(ranges, places.length, style)
  const { width, height, mask } = block
  const isColour = places.length === 3
  const opaque = isMaskOpaque(mask)
  const channels = places.length + (opaque ? 0 : 1)
  const data = new Uint8Array(width * height * channels)
  for (const [i, place] of places.entries())
    rescaleSamples(data, i, channels, bandOf(block, place), ranges[i] ?? ranges[0]!, style)
  applyColourOperations(data, { colours: places.length, stride: channels, signal }, colourOperations)
  if (!opaque) (isColour ? setRgbaAlpha : setGrayAlpha)(data, mask)
  const kind = isColour ? (opaque ? 'rgb' : 'rgba') : opaque ? 'gray' : 'gray-alpha'
  return { width, height, kind, data }
}

function renderTerrain(block: PixelBlock, { bandIndex = 0, terrain }: RasterTerrainStyle): RenderedImage {
  const { width, height, mask } = block
  const { encoding, missing } = terrain
  const opaque = missing !== undefined || isMaskOpaque(mask)
  const channels = opaque ? 3 : 4
  const data = new Uint8Array(width * height * channels)
  encodeHeights(data, channels, bandOf(block, bandIndex), terrain)
  if (missing !== undefined) fillMissing(data, mask, encodeHeightColour(encoding, missing))
  if (!opaque) setRgbaAlpha(data, mask)
  return { width, height, kind: opaque ? 'rgb' : 'rgba', data }
}

function fillMissing(rgb: Uint8Array, mask: Uint8Array, colour: readonly number[]): void {
  for (let pixel = 0; pixel < mask.length; pixel++) if (mask[pixel] === 0) rgb.set(colour, pixel * 3)
}
