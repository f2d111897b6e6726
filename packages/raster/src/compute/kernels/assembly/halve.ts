import { halvePixelGroups } from './halve-groups.ts'
import { halveSinglePixel } from './halve-samples.ts'
import { bandOffset, PixelBuffer } from './pixels.ts'

/** Every pixel of the target is the mean of the four below it, band by band, as far as they are valid. */
export function halveMean(
  type: i32,
  target: PixelBuffer,
  source: PixelBuffer,
  known: bool,
  lowest: f64,
  highest: f64,
): void {
  if (type == 0) halve<u8>(target, source, known, lowest, highest)
  else if (type == 1) halve<i8>(target, source, known, lowest, highest)
  else if (type == 2) halve<u16>(target, source, known, lowest, highest)
  else if (type == 3) halve<i16>(target, source, known, lowest, highest)
  else if (type == 4) halve<u32>(target, source, known, lowest, highest)
  else if (type == 5) halve<i32>(target, source, known, lowest, highest)
  else if (type == 6) halve<f32>(target, source, known, lowest, highest)
  else halve<f64>(target, source, known, lowest, highest)
}

function halve<T>(target: PixelBuffer, source: PixelBuffer, known: bool, lowest: f64, highest: f64): void {
  const from = known ? <T>lowest : <T>0
  const to = known ? <T>highest : <T>0
  const together = isPacked(target) && isPacked(source)
  for (let y: u32 = 0; y < target.height; y++) {
    if (together) {
      halveRow<T>(target, source, y, 0, source.bands, known, from, to)
    } else {
      for (let band: u32 = 0; band < source.bands; band++) halveRow<T>(target, source, y, band, 1, known, from, to)
    }
  }
}

/** Whether the bands of a pixel lie side by side in their order, and pixels too. */
function isPacked(pixels: PixelBuffer): bool {
  if (pixels.pixelStride != pixels.bands) return false
  for (let band: u32 = 0; band < pixels.bands; band++) if (bandOffset(pixels, band) != band) return false
  return true
}

/** One row of `bands` bands that lie side by side, from `band` on. */
function halveRow<T>(
  target: PixelBuffer,
  source: PixelBuffer,
  y: u32,
  band: u32,
  bands: u32,
  known: bool,
  lowest: T,
  highest: T,
): void {
  const dense = target.pixelStride == bands && source.pixelStride == bands
  const paired = y * 2 + 1 < source.height
  const done = dense && paired ? halvePixelGroups<T>(target, source, y, band, bands, known, lowest, highest) : 0
  for (let x = done; x < target.width; x++)
    halveSinglePixel<T>(target, source, x, y, band, bands, known, lowest, highest)
}
