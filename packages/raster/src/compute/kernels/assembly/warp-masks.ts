import { WarpTask } from './warp-job.ts'
import { Taps } from './warp-taps.ts'

/** The address of the mask `tap` columns after the first; 0 where there is no mask. */
/* @inline */ export function maskAt(job: WarpTask, across: Taps, down: Taps, tap: i32): usize {
  return job.sourceMask ? job.sourceMask + down.first * job.sourceWidth + across.first + tap : 0
}

/** True where none of four columns of a mask has a zero in `lines` lines. */
/* @inline */ export function areFourValid(mask: usize, width: i32, lines: i32): bool {
  let holes: u32 = 0
  for (let line = 0; line < lines; line++, mask += width) {
    const four = load<u32>(mask)
    holes |= (four - 0x01010101) & ~four
  }
  return (holes & 0x80808080) == 0
}

/** All ones where a pixel is valid. */
/* @inline */ export function loadValid(mask: usize): v128 {
  const bytes = i8x16.ne(v128.load32_zero(mask), i64x2.splat(0))
  return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(bytes))
}

/** True where none of four neighbours is masked. */
/* @inline */ export function areNeighboursValid(mask: usize, at: i32, width: i32): bool {
  if (!mask) return true
  const four = <u32>load<u16>(mask + at) | ((<u32>load<u16>(mask + at + width)) << 16)
  return ((four - 0x01010101) & ~four & 0x80808080) == 0
}
