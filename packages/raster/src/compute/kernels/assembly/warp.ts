import { bilinear } from './warp-bilinear.ts'
import { Job } from './warp-job.ts'
import { nearestFour, nearestOne } from './warp-nearest.ts'
import { average, weighted } from './warp-weighted.ts'

// One door for every kind of sample: a name ends in the type and, where four samples of a pixel are drawn together, in x4.

export function nearestU8(job: Job): void {
  nearestOne<u8>(job)
}
export function nearestU8x4(job: Job): void {
  nearestFour<u8>(job)
}

export function nearestU16(job: Job): void {
  nearestOne<u16>(job)
}
export function nearestU16x4(job: Job): void {
  nearestFour<u16>(job)
}

export function nearestU32(job: Job): void {
  nearestOne<u32>(job)
}
export function nearestU32x4(job: Job): void {
  nearestFour<u32>(job)
}

export function nearestU64(job: Job): void {
  nearestOne<u64>(job)
}
export function nearestU64x4(job: Job): void {
  nearestFour<u64>(job)
}

export function bilinearU8(job: Job): void {
  bilinear<u8>(job, false)
}
export function bilinearU8x4(job: Job): void {
  bilinear<u8>(job, true)
}

export function bilinearI8(job: Job): void {
  bilinear<i8>(job, false)
}
export function bilinearI8x4(job: Job): void {
  bilinear<i8>(job, true)
}

export function bilinearU16(job: Job): void {
  bilinear<u16>(job, false)
}
export function bilinearU16x4(job: Job): void {
  bilinear<u16>(job, true)
}

export function bilinearI16(job: Job): void {
  bilinear<i16>(job, false)
}
export function bilinearI16x4(job: Job): void {
  bilinear<i16>(job, true)
}

export function bilinearU32(job: Job): void {
  bilinear<u32>(job, false)
}
export function bilinearU32x4(job: Job): void {
  bilinear<u32>(job, true)
}

export function bilinearI32(job: Job): void {
  bilinear<i32>(job, false)
}
export function bilinearI32x4(job: Job): void {
  bilinear<i32>(job, true)
}

export function bilinearF32(job: Job): void {
  bilinear<f32>(job, false)
}
export function bilinearF32x4(job: Job): void {
  bilinear<f32>(job, true)
}

export function bilinearF64(job: Job): void {
  bilinear<f64>(job, false)
}
export function bilinearF64x4(job: Job): void {
  bilinear<f64>(job, true)
}

export function weightedU8(job: Job): void {
  weighted<u8>(job, false)
}
export function weightedU8x4(job: Job): void {
  weighted<u8>(job, true)
}

export function weightedI8(job: Job): void {
  weighted<i8>(job, false)
}
export function weightedI8x4(job: Job): void {
  weighted<i8>(job, true)
}

export function weightedU16(job: Job): void {
  weighted<u16>(job, false)
}
export function weightedU16x4(job: Job): void {
  weighted<u16>(job, true)
}

export function weightedI16(job: Job): void {
  weighted<i16>(job, false)
}
export function weightedI16x4(job: Job): void {
  weighted<i16>(job, true)
}

export function weightedU32(job: Job): void {
  weighted<u32>(job, false)
}
export function weightedU32x4(job: Job): void {
  weighted<u32>(job, true)
}

export function weightedI32(job: Job): void {
  weighted<i32>(job, false)
}
export function weightedI32x4(job: Job): void {
  weighted<i32>(job, true)
}

export function weightedF32(job: Job): void {
  weighted<f32>(job, false)
}
export function weightedF32x4(job: Job): void {
  weighted<f32>(job, true)
}

export function weightedF64(job: Job): void {
  weighted<f64>(job, false)
}
export function weightedF64x4(job: Job): void {
  weighted<f64>(job, true)
}

export function averageU8(job: Job): void {
  average<u8>(job, false)
}
export function averageU8x4(job: Job): void {
  average<u8>(job, true)
}

export function averageI8(job: Job): void {
  average<i8>(job, false)
}
export function averageI8x4(job: Job): void {
  average<i8>(job, true)
}

export function averageU16(job: Job): void {
  average<u16>(job, false)
}
export function averageU16x4(job: Job): void {
  average<u16>(job, true)
}

export function averageI16(job: Job): void {
  average<i16>(job, false)
}
export function averageI16x4(job: Job): void {
  average<i16>(job, true)
}

export function averageU32(job: Job): void {
  average<u32>(job, false)
}
export function averageU32x4(job: Job): void {
  average<u32>(job, true)
}

export function averageI32(job: Job): void {
  average<i32>(job, false)
}
export function averageI32x4(job: Job): void {
  average<i32>(job, true)
}

export function averageF32(job: Job): void {
  average<f32>(job, false)
}
export function averageF32x4(job: Job): void {
  average<f32>(job, true)
}

export function averageF64(job: Job): void {
  average<f64>(job, false)
}
export function averageF64x4(job: Job): void {
  average<f64>(job, true)
}
