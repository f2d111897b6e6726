import type { KernelAddress, KernelMemory, Kernels } from '../../src/compute/kernels/types.ts'

type Predictors = 'undoPredictor2' | 'applyPredictor2' | 'decodePredictor3' | 'encodePredictor3'
type Words = Uint8Array | Uint16Array | Uint32Array | BigUint64Array

/** The predictors in plain TypeScript. */
export function referencePredictors(memory: KernelMemory): Pick<Kernels, Predictors> {
  const bytesAt = (at: KernelAddress, bytes: number): Uint8Array => new Uint8Array(memory.buffer, at, bytes)
  return {
    undoPredictor2: (at, rows, rowSamples, stride, sampleBytes) =>
      addAlongRows(wordsAt(memory.buffer, at, rows * rowSamples, sampleBytes), rowSamples, stride),
    applyPredictor2: (at, rows, rowSamples, stride, sampleBytes) =>
      subtractAlongRows(wordsAt(memory.buffer, at, rows * rowSamples, sampleBytes), rowSamples, stride),
    decodePredictor3: (at, rows, rowSamples, stride, sampleBytes) => {
      const bytes = bytesAt(at, rows * rowSamples * sampleBytes)
      addAlongRows(bytes, rowSamples * sampleBytes, stride)
      bytes.set(joinPlanes(bytes, rowSamples, sampleBytes))
    },
    encodePredictor3: (at, rows, rowSamples, stride, sampleBytes) => {
      const bytes = bytesAt(at, rows * rowSamples * sampleBytes)
      bytes.set(splitPlanes(bytes, rowSamples, sampleBytes))
      subtractAlongRows(bytes, rowSamples * sampleBytes, stride)
    },
  }
}

function wordsAt(buffer: ArrayBuffer, at: KernelAddress, count: number, sampleBytes: 1 | 2 | 4 | 8): Words {
  if (sampleBytes === 1) return new Uint8Array(buffer, at, count)
  if (sampleBytes === 2) return new Uint16Array(buffer, at, count)
  return sampleBytes === 4 ? new Uint32Array(buffer, at, count) : new BigUint64Array(buffer, at, count)
}

/** Every word but the first `stride` of a row is the difference to the one `stride` before it; sums wrap around. */
function addAlongRows<Word extends number | bigint>(words: Words, rowWords: number, stride: number): void {
  const list = words as unknown as Word[]
  for (let row = 0; row < words.length; row += rowWords)
    for (let i = row + stride; i < row + rowWords; i++)
      list[i] = ((list[i] as number) + (list[i - stride] as number)) as Word
}

function subtractAlongRows<Word extends number | bigint>(words: Words, rowWords: number, stride: number): void {
  const list = words as unknown as Word[]
  for (let row = 0; row < words.length; row += rowWords)
    for (let i = row + rowWords - 1; i >= row + stride; i--)
      list[i] = ((list[i] as number) - (list[i - stride] as number)) as Word
}

/** A row holds the highest byte of every sample, then the next byte, and so on; samples are in this machine's order. */
function joinPlanes(bytes: Uint8Array, rowSamples: number, sampleBytes: number): Uint8Array {
  const joined = new Uint8Array(bytes.length)
  const rowBytes = rowSamples * sampleBytes
  for (let row = 0; row < bytes.length; row += rowBytes)
    for (let plane = 0; plane < sampleBytes; plane++)
      for (let i = 0; i < rowSamples; i++)
        joined[row + i * sampleBytes + (sampleBytes - 1 - plane)] = bytes[row + plane * rowSamples + i]!
  return joined
}

function splitPlanes(bytes: Uint8Array, rowSamples: number, sampleBytes: number): Uint8Array {
  const split = new Uint8Array(bytes.length)
  const rowBytes = rowSamples * sampleBytes
  for (let row = 0; row < bytes.length; row += rowBytes)
    for (let plane = 0; plane < sampleBytes; plane++)
      for (let i = 0; i < rowSamples; i++)
        split[row + plane * rowSamples + i] = bytes[row + i * sampleBytes + (sampleBytes - 1 - plane)]!
  return split
}
