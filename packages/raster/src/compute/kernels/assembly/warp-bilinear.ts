import { WarpTask } from './warp-job.ts'
import { areNeighboursValid } from './warp-masks.ts'
import { clear } from './warp-nearest.ts'
import { computeRowPositions } from './warp-positions.ts'
import { spreadRow } from './warp-rows.ts'
import { isSmall, loadFour, loadPair, roundShort, storeFour, storeLarge, storeNear, storePair } from './warp-samples.ts'
import { resampleWithSpareAxes } from './warp-weighted.ts'

/** Interpolates between four neighbours; where one of them is missing, with the weights of those that are there. */
/* @inline */ export function bilinear<T>(job: WarpTask, four: bool): void {
  for (let row = 0; row < job.height; row++) {
    computeRowPositions(job, row, job.positions, job.width)
    const to = four ? job.packed : job.target0 + row * job.targetRow
    blendRow<T>(job, job.targetMask + row * job.width, to, four ? 4 * <i32>sizeof<T>() : job.targetPixel, four)
    if (four) spreadRow<T>(job, row)
  }
}

/* @inline */ function blendRow<T>(job: WarpTask, mask: usize, to: usize, step: i32, four: bool): void {
  const tapMagic = f64x2.splat(job.tapMagic)
  const bias = i64x2.splat(job.bias)
  const upperWords = i64x2.splat(job.upperWords)
  const source = job.source
  const sourceMask = job.sourceMask
  const width = job.sourceWidth
  const lastX = width - 1
  const lastY = job.sourceHeight - 1
  const pixelBytes = job.sourcePixel
  const rowBytes = job.sourceRow
  let position = job.positions
  const end = position + ((<usize>job.width) << 4)
  for (; position < end; position += 16, to += step, mask++) {
    const place = f64x2.add(v128.load(position), tapMagic)
    const words = i64x2.sub(place, bias)
    const x = i32x4.extract_lane(words, 1)
    const y = i32x4.extract_lane(words, 3)
    if (<u32>x < <u32>lastX && <u32>y < <u32>lastY && areNeighboursValid(sourceMask, y * width + x, width)) {
      const at = source + y * rowBytes + x * pixelBytes
      const part = f64x2.sub(place, v128.and(place, upperWords))
      if (isSmall<T>()) {
        if (four) blendFourSmall<T>(at, pixelBytes, rowBytes, part, to)
        else blendSmall<T>(at, pixelBytes, rowBytes, part, to)
      } else if (four) blendFourLarge<T>(at, pixelBytes, rowBytes, part, to)
      else blendLarge<T>(at, pixelBytes, rowBytes, part, to)
      store<u8>(mask, 255)
    } else {
      const valid = resampleWithSpareAxes<T>(job, load<f64>(position), load<f64>(position, 8), to, four)
      store<u8>(mask, valid ? 255 : 0)
      if (!valid) clear<T>(to, four)
    }
  }
}

// a b
// c d, of which d − c − (b − a) turns with both fractions.
/* @inline */ function blendFourSmall<T>(at: usize, pixelBytes: i32, rowBytes: i32, part: v128, to: usize): void {
  const parts = f32x4.demote_f64x2_zero(part)
  const partX = i32x4.shuffle(parts, parts, 0, 0, 0, 0)
  const partY = i32x4.shuffle(parts, parts, 1, 1, 1, 1)
  const a = loadFour<T>(at)
  const c = loadFour<T>(at + rowBytes)
  const across = i32x4.sub(loadFour<T>(at + pixelBytes), a)
  const down = i32x4.sub(c, a)
  const turn = i32x4.sub(i32x4.sub(loadFour<T>(at + rowBytes + pixelBytes), c), across)
  const sides = f32x4.add(
    f32x4.mul(f32x4.convert_i32x4_s(across), partX),
    f32x4.mul(f32x4.convert_i32x4_s(down), partY),
  )
  const distance = f32x4.add(sides, f32x4.mul(f32x4.convert_i32x4_s(turn), f32x4.mul(partX, partY)))
  storeFour<T>(to, i32x4.add(a, roundShort(distance)))
}

/* @inline */ function blendSmall<T>(at: usize, pixelBytes: i32, rowBytes: i32, part: v128, to: usize): void {
  const partX = <f32>f64x2.extract_lane(part, 0)
  const partY = <f32>f64x2.extract_lane(part, 1)
  const a = <i32>load<T>(at)
  const c = <i32>load<T>(at + rowBytes)
  const across = <i32>load<T>(at + pixelBytes) - a
  const turn = <i32>load<T>(at + rowBytes + pixelBytes) - c - across
  storeNear<T>(to, a, <f32>across * partX + <f32>(c - a) * partY + <f32>turn * (partX * partY))
}

/* @inline */ function blendFourLarge<T>(at: usize, pixelBytes: i32, rowBytes: i32, part: v128, to: usize): void {
  const partX = i64x2.shuffle(part, part, 0, 0)
  const partY = i64x2.shuffle(part, part, 1, 1)
  blendPair<T>(at, pixelBytes, rowBytes, partX, partY, to)
  blendPair<T>(at + 2 * sizeof<T>(), pixelBytes, rowBytes, partX, partY, to + 2 * sizeof<T>())
}

/* @inline */ function blendPair<T>(
  at: usize,
  pixelBytes: i32,
  rowBytes: i32,
  partX: v128,
  partY: v128,
  to: usize,
): void {
  const a = loadPair<T>(at)
  const c = loadPair<T>(at + rowBytes)
  const across = f64x2.sub(loadPair<T>(at + pixelBytes), a)
  const turn = f64x2.sub(f64x2.sub(loadPair<T>(at + rowBytes + pixelBytes), c), across)
  const sides = f64x2.add(f64x2.mul(across, partX), f64x2.mul(f64x2.sub(c, a), partY))
  storePair<T>(to, f64x2.add(a, f64x2.add(sides, f64x2.mul(turn, f64x2.mul(partX, partY)))))
}

/* @inline */ function blendLarge<T>(at: usize, pixelBytes: i32, rowBytes: i32, part: v128, to: usize): void {
  const partX = f64x2.extract_lane(part, 0)
  const partY = f64x2.extract_lane(part, 1)
  const a = <f64>load<T>(at)
  const c = <f64>load<T>(at + rowBytes)
  const across = <f64>load<T>(at + pixelBytes) - a
  const turn = <f64>load<T>(at + rowBytes + pixelBytes) - c - across
  storeLarge<T>(to, a + (across * partX + (c - a) * partY + turn * (partX * partY)))
}
