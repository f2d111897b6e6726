import { bilinear } from './warp-bilinear.ts'
import { Job } from './warp-job.ts'
import { nearestFour, nearestOne } from './warp-nearest.ts'
import { average, weighted } from './warp-weighted.ts'

// One function for every kind of sample: the T of a name is the type, x4 means that four samples of a pixel are drawn together.

/* @each u8 u16 u32 u64 */
export function nearestT(job: Job): void {
  nearestOne<T>(job)
}
export function nearestTx4(job: Job): void {
  nearestFour<T>(job)
}

/* @each u8 i8 u16 i16 u32 i32 f32 f64 */
export function bilinearT(job: Job): void {
  bilinear<T>(job, false)
}
export function bilinearTx4(job: Job): void {
  bilinear<T>(job, true)
}

/* @each u8 i8 u16 i16 u32 i32 f32 f64 */
export function weightedT(job: Job): void {
  weighted<T>(job, false)
}
export function weightedTx4(job: Job): void {
  weighted<T>(job, true)
}

/* @each u8 i8 u16 i16 u32 i32 f32 f64 */
export function averageT(job: Job): void {
  average<T>(job, false)
}
export function averageTx4(job: Job): void {
  average<T>(job, true)
}
