import { bilinear } from './warp-bilinear.ts'
import { WarpTask } from './warp-job.ts'
import { nearestFour, nearestOne } from './warp-nearest.ts'
import { average, weighted } from './warp-weighted.ts'

// One function for every kind of sample: the T of a name is the type, x4 means that four samples of a pixel are resampled together.

/* @each u8 u16 u32 u64 */
export function nearestResampleT(job: WarpTask): void {
  nearestOne<T>(job)
}
export function nearestResampleTx4(job: WarpTask): void {
  nearestFour<T>(job)
}

/* @each u8 i8 u16 i16 u32 i32 f32 f64 */
export function bilinearResampleT(job: WarpTask): void {
  bilinear<T>(job, false)
}
export function bilinearResampleTx4(job: WarpTask): void {
  bilinear<T>(job, true)
}

/* @each u8 i8 u16 i16 u32 i32 f32 f64 */
export function weightedResampleT(job: WarpTask): void {
  weighted<T>(job, false)
}
export function weightedResampleTx4(job: WarpTask): void {
  weighted<T>(job, true)
}

/* @each u8 i8 u16 i16 u32 i32 f32 f64 */
export function averageResampleT(job: WarpTask): void {
  average<T>(job, false)
}
export function averageResampleTx4(job: WarpTask): void {
  average<T>(job, true)
}
