import { bandOffset, isMissing, PixelBuffer } from './pixels.ts'

/** One pixel of the target, whatever lies below it, for `bands` bands from `band` on. */
export function halveSinglePixel<T>(
  target: PixelBuffer,
  source: PixelBuffer,
  x: u32,
  y: u32,
  band: u32,
  bands: u32,
  known: bool,
  lowest: T,
  highest: T,
): void {
  const to = target.at + (<usize>y * target.rowStride + <usize>x * target.pixelStride) * sizeof<T>()
  const first = (<usize>y * source.rowStride + <usize>x * source.pixelStride) * 2
  const from = source.at + first * sizeof<T>()
  const used = usedPixels(source, x * 2, y * 2)
  for (const end = band + bands; band < end; band++) {
    const mean = meanOf<T>(from + bandOffset(source, band) * sizeof<T>(), source, used, known, lowest, highest)
    store<T>(to + bandOffset(target, band) * sizeof<T>(), mean)
  }
}

/** Bits 0 … 3 for the pixel, the one beside it and the two below, where they exist and are not masked. */
function usedPixels(source: PixelBuffer, x: u32, y: u32): u32 {
  const beside = x + 1 < source.width
  const below = y + 1 < source.height
  const there = 1 | ((<u32>beside) << 1) | ((<u32>below) << 2) | ((<u32>(beside && below)) << 3)
  if (source.mask == 0) return there
  const at = source.mask + <usize>y * source.width + x
  let used: u32 = 0
  for (let i: u32 = 0; i < 4; i++) {
    if ((there >> i) & 1 && load<u8>(at + (i & 1) + (i >> 1) * source.width) != 0) used |= 1 << i
  }
  return used
}

function meanOf<T>(at: usize, source: PixelBuffer, used: u32, known: bool, lowest: T, highest: T): T {
  const right = <usize>source.pixelStride * sizeof<T>()
  const down = <usize>source.rowStride * sizeof<T>()
  let sum: f64 = 0
  let count: f64 = 0
  for (let i: u32 = 0; i < 4; i++) {
    if (!((used >> i) & 1)) continue
    const value = load<T>(at + <usize>(i & 1) * right + <usize>(i >> 1) * down)
    if (isMissing<T>(value, known, lowest, highest)) continue
    // A sum that begins with its first value keeps the sign of a zero.
    sum = count == 0 ? <f64>value : sum + <f64>value
    count += 1
  }
  if (count == 0) return load<T>(at)
  const mean = isFloat<T>() ? <T>(sum / count) : <T>Math.floor(sum / count + 0.5)
  return known && mean >= lowest && mean <= highest ? besideNodata<T>(lowest, highest) : mean
}

/**
 * One step from nodata, for a mean that happens to equal it: up for integers, of which some valid one is then higher; for
 * floats towards zero, or off it.
 */
function besideNodata<T>(lowest: T, highest: T): T {
  if (isInteger<T>()) return <T>(highest + 1)
  const value = lowest > 0 ? lowest : highest
  if (sizeof<T>() == 4) {
    return <T>reinterpret<f32>(value == 0 ? 1 : reinterpret<u32>(<f32>value) - 1)
  }
  return <T>reinterpret<f64>(value == 0 ? 1 : reinterpret<u64>(<f64>value) - 1)
}
