import { inflateSync } from 'node:zlib'
import { RasterFailure } from '../../src/failures.ts'
import type { KernelMemory, Kernels } from '../../src/compute/kernels/types.ts'

/** Moving and spreading of bytes in plain TypeScript. */
export function referenceBytes(
  memory: KernelMemory,
): Pick<Kernels, 'swapBytes' | 'expandBitsToBytes' | 'copyByteRows' | 'copyBand' | 'filterUp' | 'inflate'> {
  const all = (): Uint8Array => new Uint8Array(memory.buffer)
  return {
    swapBytes(at, count, sampleBytes) {
      const bytes = all()
      for (let i = 0; i < count; i++) bytes.subarray(at + i * sampleBytes, at + (i + 1) * sampleBytes).reverse()
    },
    expandBitsToBytes(to, from, rows, rowSamples) {
      const bytes = all()
      const rowBytes = Math.ceil(rowSamples / 8)
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < rowSamples; x++) {
          const bit = (bytes[from + y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1
          bytes[to + y * rowSamples + x] = bit === 1 ? 255 : 0
        }
    },
    copyByteRows(to, toRowBytes, from, fromRowBytes, rowBytes, rows) {
      const bytes = all()
      for (let y = 0; y < rows; y++)
        bytes.copyWithin(to + y * toRowBytes, from + y * fromRowBytes, from + y * fromRowBytes + rowBytes)
    },
    copyBand(to, toPixel, toRow, from, fromPixel, fromRow, width, rows, sampleBytes) {
      const bytes = all()
      for (let y = 0; y < rows; y++)
        for (let x = 0; x < width; x++) {
          const source = from + (y * fromRow + x * fromPixel) * sampleBytes
          bytes.copyWithin(to + (y * toRow + x * toPixel) * sampleBytes, source, source + sampleBytes)
        }
    },
    inflate(to, toBytes, from, fromBytes) {
      const inflated = inflateAtMost(all().subarray(from, from + fromBytes), toBytes)
      all().set(inflated, to)
      return inflated.length
    },
    filterUp(to, from, rowBytes, rows, pixelBytes) {
      const bytes = all()
      for (let y = 0; y < rows; y++) {
        const row = from + y * rowBytes
        const target = to + y * (rowBytes + 1)
        bytes[target] = y === 0 ? filter_sub : filter_up
        const back = y === 0 ? pixelBytes : rowBytes
        for (let i = 0; i < rowBytes; i++) {
          const before = y === 0 && i < pixelBytes ? 0 : bytes[row + i - back]!
          bytes[target + 1 + i] = bytes[row + i]! - before
        }
      }
    },
  }
}

function inflateAtMost(stream: Uint8Array, bytes: number): Uint8Array {
  try {
    const inflated = inflateSync(stream, { maxOutputLength: Math.max(1, bytes) })
    if (inflated.length <= bytes) return inflated
  } catch (cause) {
    throw new RasterFailure('damaged', 'a deflate block of the file cannot be inflated', { cause })
  }
  throw new RasterFailure('damaged', 'a deflate block of the file holds more than it should')
}

/** Filter types of PNG (ISO/IEC 15948, 9.2). */
const filter_sub = 1
const filter_up = 2
