import { bandOffset, isMissing, PixelBuffer } from './pixels.ts'

/** Writes 0 into the mask where all bands are missing and answers how many pixels of the mask are 0 then. */
export function markMissingPixels(
  type: i32,
  mask: usize,
  pixels: PixelBuffer,
  known: bool,
  lowest: f64,
  highest: f64,
): i32 {
  if (type == 0) return mark<u8>(mask, pixels, known, lowest, highest)
  if (type == 1) return mark<i8>(mask, pixels, known, lowest, highest)
  if (type == 2) return mark<u16>(mask, pixels, known, lowest, highest)
  if (type == 3) return mark<i16>(mask, pixels, known, lowest, highest)
  if (type == 4) return mark<u32>(mask, pixels, known, lowest, highest)
  if (type == 5) return mark<i32>(mask, pixels, known, lowest, highest)
  return type == 6 ? mark<f32>(mask, pixels, known, lowest, highest) : mark<f64>(mask, pixels, known, lowest, highest)
}

function mark<T>(mask: usize, pixels: PixelBuffer, known: bool, lowest: f64, highest: f64): i32 {
  const from = known ? <T>lowest : <T>0
  const to = known ? <T>highest : <T>0
  const possible = known || isFloat<T>()
  let missing = 0
  for (let y: u32 = 0; y < pixels.height; y++) {
    const row = pixels.at + <usize>y * pixels.rowStride * sizeof<T>()
    if (possible) markRow<T>(mask, row, pixels, known, from, to)
    missing += countZeros(mask, pixels.width)
    mask += pixels.width
  }
  return missing
}

function markRow<T>(mask: usize, row: usize, pixels: PixelBuffer, known: bool, lowest: T, highest: T): void {
  const step = <usize>pixels.pixelStride * sizeof<T>()
  let x: u32 = 0
  if (pixels.pixelStride == 1 && sizeof<T>() < 8) {
    for (; x + 16 <= pixels.width; x += 16)
      markSixteen<T>(mask + x, row + x * sizeof<T>(), pixels, known, lowest, highest)
  } else if (step <= 16 && holdsBands(pixels)) {
    const together = 16 / <u32>step
    for (; <usize>(pixels.width - x) * step >= 16; x += together) {
      const lanes = missingLanes<T>(v128.load(row + x * step), known, lowest, highest)
      if (v128.any_true(lanes)) markEach<T>(mask, row, pixels, x, x + together, known, lowest, highest)
    }
  }
  markEach<T>(mask, row, pixels, x, pixels.width, known, lowest, highest)
}

/** Whether all bands of a pixel lie before the next pixel. */
function holdsBands(pixels: PixelBuffer): bool {
  for (let band: u32 = 0; band < pixels.bands; band++) if (bandOffset(pixels, band) >= pixels.pixelStride) return false
  return true
}

/** Pixels one by one; most end at the first band. */
function markEach<T>(
  mask: usize,
  row: usize,
  pixels: PixelBuffer,
  x: u32,
  end: u32,
  known: bool,
  lowest: T,
  highest: T,
): void {
  const step = <usize>pixels.pixelStride * sizeof<T>()
  for (; x < end; x++) {
    const at = row + x * step
    let band: u32 = 0
    while (
      band < pixels.bands &&
      isMissing<T>(load<T>(at + bandOffset(pixels, band) * sizeof<T>()), known, lowest, highest)
    )
      band++
    if (band == pixels.bands) store<u8>(mask + x, 0)
  }
}

/** Sixteen pixels whose bands are planes; most end at the first band. */
function markSixteen<T>(mask: usize, at: usize, pixels: PixelBuffer, known: bool, lowest: T, highest: T): void {
  let missing = v128.splat<i8>(-1)
  for (let band: u32 = 0; band < pixels.bands; band++) {
    missing = v128.and(missing, missingSixteen<T>(at + bandOffset(pixels, band) * sizeof<T>(), known, lowest, highest))
    if (!v128.any_true(missing)) return
  }
  v128.store(mask, v128.andnot(v128.load(mask), missing))
}

/** A byte of ones for each missing sample of sixteen. */
function missingSixteen<T>(at: usize, known: bool, lowest: T, highest: T): v128 {
  if (sizeof<T>() == 1) return missingLanes<T>(v128.load(at), known, lowest, highest)
  if (sizeof<T>() == 2) return missingEight<T>(at, known, lowest, highest)
  const low = missingPairs<T>(at, known, lowest, highest)
  return i8x16.narrow_i16x8_s(low, missingPairs<T>(at + 32, known, lowest, highest))
}

/* @inline */ function missingEight<T>(at: usize, known: bool, lowest: T, highest: T): v128 {
  const low = missingLanes<T>(v128.load(at), known, lowest, highest)
  return i8x16.narrow_i16x8_s(low, missingLanes<T>(v128.load(at, 16), known, lowest, highest))
}

/* @inline */ function missingPairs<T>(at: usize, known: bool, lowest: T, highest: T): v128 {
  const low = missingLanes<T>(v128.load(at), known, lowest, highest)
  return i16x8.narrow_i32x4_s(low, missingLanes<T>(v128.load(at, 16), known, lowest, highest))
}

/** Lanes of ones where a sample is missing. */
/* @inline */ export function missingLanes<T>(samples: v128, known: bool, lowest: T, highest: T): v128 {
  const within = known ? lanesWithin<T>(samples, lowest, highest) : v128.splat<u8>(0)
  return isFloat<T>() ? v128.or(within, v128.ne<T>(samples, samples)) : within
}

/** Lanes of ones where a sample lies in the range of nodata; of integers that is a single value. */
/* @inline */ export function lanesWithin<T>(samples: v128, lowest: T, highest: T): v128 {
  if (isInteger<T>()) return v128.eq<T>(samples, v128.splat<T>(lowest))
  return v128.and(v128.ge<T>(samples, v128.splat<T>(lowest)), v128.le<T>(samples, v128.splat<T>(highest)))
}

function countZeros(at: usize, bytes: usize): i32 {
  const zero = v128.splat<u8>(0)
  let zeros = 0
  for (const end = at + (bytes & ~15); at < end; at += 16) zeros += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), zero)))
  for (const end = at + (bytes & 15); at < end; at++) zeros += i32(load<u8>(at) == 0)
  return zeros
}
