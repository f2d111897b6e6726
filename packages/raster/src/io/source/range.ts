import { RasterFailure } from '../../failures.ts'

/** Throws `damaged` for a range that no file can have: ranges come from offsets in the file itself. */
export function checkByteRange(offset: number, length: number): void {
  if (!Number.isSafeInteger(offset + length) || !Number.isInteger(offset) || offset < 0 || length < 0) {
    throw new RasterFailure('damaged', `${length} bytes from byte ${offset} on cannot be read`)
  }
}
