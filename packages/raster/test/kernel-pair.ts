import assert from 'node:assert/strict'
import { createKernels } from '../src/compute/kernels/index.ts'
import { createReferenceKernels } from './kernels/reference.ts'
import type { KernelAddress, Kernels } from '../src/compute/kernels/types.ts'

const compiled = createKernels()
const reference = createReferenceKernels()

/** Bytes on both sides of the output of a kernel, which must not change. */
const margin_bytes = 64

/** Whole numbers below a limit, the same for the same seed (a linear congruential generator, Numerical Recipes' constants). */
export function numbersFrom(seed: number): (limit: number) => number {
  let state = Math.imul(seed, 0x9e3779b9)
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 8) % limit
  }
}

/** Bytes without any order. */
export function noise(bytes: number, seed: number): Uint8Array {
  const next = numbersFrom(seed)
  return Uint8Array.from({ length: bytes }, () => next(256))
}

/** The memory after a run, and its return value. */
export interface Run {
  readonly bytes: Uint8Array
  readonly answer: unknown
}

/** Lays the bytes into the memory of the kernels, does the work on them and answers them as they are then. */
export function runOn(
  kernels: Kernels,
  bytes: Uint8Array,
  work: (kernels: Kernels, at: KernelAddress) => unknown,
): Run {
  const mark = kernels.memory.mark()
  const at = kernels.memory.reserve(bytes.length + 2 * margin_bytes)
  new Uint8Array(kernels.memory.buffer, at, bytes.length + 2 * margin_bytes).fill(0xa5).set(bytes, margin_bytes)
  const answer = work(kernels, at + margin_bytes)
  const all = new Uint8Array(kernels.memory.buffer, at, bytes.length + 2 * margin_bytes).slice()
  kernels.memory.release(mark)
  const margins = [all.subarray(0, margin_bytes), all.subarray(margin_bytes + bytes.length)]
  assert.ok(margins.every((margin) => margin.every((byte) => byte === 0xa5)))
  return { bytes: all.subarray(margin_bytes, margin_bytes + bytes.length), answer }
}

/** Does the same work with both kinds of kernels, which must come to the same. */
export function runBoth(bytes: Uint8Array, work: (kernels: Kernels, at: KernelAddress) => unknown, say: string): Run {
  const run = runOn(compiled, bytes, work)
  const expected = runOn(reference, bytes, work)
  assert.equal(run.answer, expected.answer, say)
  if (Buffer.compare(run.bytes, expected.bytes) !== 0) assert.deepEqual(run.bytes, expected.bytes, say)
  return run
}
