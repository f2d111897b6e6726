import { RasterFailure } from '../../failures.ts'

/** A `damaged` failure for a place where no file has bytes: what a file says of itself decides what is asked for. */
export function checkRange(offset: number, length: number): void {
  if (!Number.isSafeInteger(offset + length) || !Number.isInteger(offset) || offset < 0 || length < 0) {
    throw new RasterFailure('damaged', `${length} bytes from byte ${offset} on cannot be read`)
  }
}
