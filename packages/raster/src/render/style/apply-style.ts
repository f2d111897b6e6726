import { indexSamples } from './indexed.ts'
import { checkStretch, stretchSamples } from './stretch.ts'
import type { RescaleRange } from './stretch.ts'
import { colourOfHeight, encodeHeights } from './terrain.ts'
import { isOpaque, setAlpha, setGrayAlpha } from '../encode/rendered-image.ts'
import type { RenderedImage } from '../encode/rendered-image.ts'
import { RasterFailure } from '../../failures.ts'
import { evaluateExpression } from '../../compute/expression/evaluate.ts'
import type { PixelBlock, Samples } from '../../types.ts'
import type { RasterBandStyle, RasterExpressionStyle, RasterStyle, RasterTerrainStyle } from './render-style.ts'
import { applyPalette } from './palette-image.ts'

const byteRange: readonly RescaleRange[] = [[0, 255]]

/**
 * Applies a style to samples: gray, RGB, or palette indices if a colormap is used. Invalid pixels are transparent and have no
 * colour; if all are valid there is no alpha channel.
 *
 * @throws RasterFailure `request` for a style that does not fit the block, `expression` for an invalid expression.
 */
export function applyStyle(block: PixelBlock, style: RasterStyle): RenderedImage {
  if (style.kind === 'terrain') return renderTerrain(block, style)
  const values =
    style.kind === 'expression' ? evaluateExpression(style.expression, block, style.bandIndexByName) : block
  const places = style.kind === 'expression' ? [0] : (style.bandIndexes ?? everyBand(block))
  if (!style.colormap) return renderBands(values, places, style)
  if (places.length !== 1) throw new RasterFailure('request', 'a colormap colours one band')
  const ranges = style.ranges ?? byteRange
  checkStretch(ranges, 1, style.gamma ?? 1)
  const indexed = indexSamples(bandOf(values, places[0]!), style.colormap, ranges[0]!, style.gamma)
  return applyPalette(values.width, values.height, indexed, values.mask)
}

const everyBand = (block: PixelBlock): number[] => Array.from({ length: block.bands }, (_, band) => band)

function bandOf({ data, width, height, bands }: PixelBlock, band: number): Samples {
  if (!(Number.isInteger(band) && band >= 0 && band < bands))
    throw new RasterFailure('request', `there is no band ${band} among ${bands}`)
  return data.subarray(band * width * height, (band + 1) * width * height)
}

function renderBands(
  block: PixelBlock,
  places: readonly number[],
  style: RasterBandStyle | RasterExpressionStyle,
): RenderedImage {
  const { ranges = byteRange, gamma = 1 } = style
  if (places.length !== 1 && places.length !== 3)
    throw new RasterFailure('request', `an image is rendered from one band or three, not from ${places.length}`)
  checkStretch(ranges, places.length, gamma)
  const { width, height, mask } = block
  const isColour = places.length === 3
  const opaque = isOpaque(mask)
  const channels = places.length + (opaque ? 0 : 1)
  const data = new Uint8Array(width * height * channels)
  for (const [i, place] of places.entries())
    stretchSamples(data, i, channels, bandOf(block, place), ranges[i] ?? ranges[0]!, gamma)
  if (!opaque) (isColour ? setAlpha : setGrayAlpha)(data, mask)
  const kind = isColour ? (opaque ? 'rgb' : 'rgba') : opaque ? 'gray' : 'gray-alpha'
  return { width, height, kind, data }
}

function renderTerrain(block: PixelBlock, { bandIndex = 0, terrain }: RasterTerrainStyle): RenderedImage {
  const { width, height, mask } = block
  const { encoding, missing } = terrain
  const opaque = missing !== undefined || isOpaque(mask)
  const channels = opaque ? 3 : 4
  const data = new Uint8Array(width * height * channels)
  encodeHeights(data, channels, bandOf(block, bandIndex), terrain)
  if (missing !== undefined) fillMissing(data, mask, colourOfHeight(encoding, missing))
  if (!opaque) setAlpha(data, mask)
  return { width, height, kind: opaque ? 'rgb' : 'rgba', data }
}

function fillMissing(rgb: Uint8Array, mask: Uint8Array, colour: readonly number[]): void {
  for (let pixel = 0; pixel < mask.length; pixel++) if (mask[pixel] === 0) rgb.set(colour, pixel * 3)
}
