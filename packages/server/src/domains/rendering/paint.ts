import {
  applyColormap,
  colormapOfPalette,
  evaluate,
  rescaleBlock,
  type Colormap,
  type PixelBlock,
  type Raster,
  type StretchRange,
} from '@swath/raster'
import type { BandFacts } from '../items/raster-facts.ts'
import type { Look } from './look.ts'
import { stretchesOf } from './stretch.ts'

/** What pixels are turned into colours by; the same for every tile of a raster. */
export interface Paint {
  readonly look: Look
  readonly colormap: Colormap | null
  readonly stretches: readonly StretchRange[]
}

/** True when samples are classes, which must not be mixed: an image with a palette, drawn by it. */
export const isClassed = (raster: Raster, look: Look): boolean =>
  raster.palette !== null && look.formula === null && look.colormap === null && look.rescale === null

/** Settles what the look leaves open: the palette of the file, and the stretch. */
export async function preparePaint(raster: Raster, bands: readonly BandFacts[], look: Look): Promise<Paint> {
  if (isClassed(raster, look)) return { look, colormap: colormapOfPalette(raster.palette!), stretches: [[0, 255]] }
  const byValue = look.colormap !== null && look.colormap.kind !== 'ramp'
  return { look, colormap: look.colormap, stretches: byValue ? [[0, 255]] : await stretchesOf(raster, bands, look) }
}

/** Samples as bytes of colour: one band of gray, three, or four with transparency of their own. */
export function paintBlock(block: PixelBlock, { look, colormap, stretches }: Paint): PixelBlock {
  const values = look.formula ? evaluate(look.formula.expression, block, look.formula.places) : block
  if (colormap) return applyColormap(values, colormap, stretches[0])
  return rescaleBlock(values, stretches)
}

/** White wherever the mask leaves a pixel out, for formats without transparency. */
export function whiten(block: PixelBlock): PixelBlock {
  const count = block.width * block.height
  const colours = Math.min(block.bands, 3)
  const data = new Uint8Array(block.data as Uint8Array).subarray(0, colours * count)
  for (let pixel = 0; pixel < count; pixel++) {
    if (block.mask[pixel] !== 0) continue
    for (let band = 0; band < colours; band++) data[band * count + pixel] = 255
  }
  return { ...block, bands: colours, data, mask: new Uint8Array(count).fill(255) }
}
