import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RasterFailure, type RasterFailureKind } from '../../failures.ts'
import { createKernels } from './index.ts'
import { max_kernel_memory_bytes } from './arena.ts'
import { createReferenceKernels } from '../../../test/kernels/reference.ts'
import type { Kernels, KernelPixels } from './types.ts'

const failsAs =
  (kind: RasterFailureKind) =>
  (error: unknown): boolean =>
    error instanceof RasterFailure && error.kind === kind

for (const [name, create] of [
  ['compiled', createKernels],
  ['reference', createReferenceKernels],
] as const) {
  test(`${name}: memory is a stack that grows`, () => {
    const { memory } = create()
    const empty = memory.mark()
    const first = memory.reserve(1)
    const second = memory.reserve(10_000_000)
    assert.deepEqual([first % 16, second % 16, second - first], [0, 0, 16])
    new Uint8Array(memory.buffer, second, 10_000_000).fill(3)
    const third = memory.reserve(15_000_000)
    assert.equal(new Uint8Array(memory.buffer)[third - 1], 3)
    memory.release(second)
    assert.equal(memory.reserve(5), second)
    assert.throws(() => memory.reserve(max_kernel_memory_bytes), failsAs('budget'))
    memory.release(empty)
    assert.throws(() => memory.release(empty + 16), /no mark/)
    assert.throws(() => memory.reserve(-1), /cannot be reserved/)
  })

  test(`${name}: sizes that reach beyond what is reserved are damage`, () => {
    const kernels = create()
    const before = kernels.memory.mark()
    const at = kernels.memory.reserve(64)
    for (const work of reachingBeyond(kernels, at)) assert.throws(work, failsAs('damaged'), work.toString())
    assert.throws(() => kernels.swapBytes(before - 16, 1, 2), failsAs('damaged'))
    assert.throws(() => kernels.swapBytes(at + 1, 1, 2), /cannot stand/)
    assert.throws(() => kernels.undoPredictor2(at, 1, 4, 0, 2), /no size/)
    assert.throws(() => kernels.copyByteRows(at, 1.5, at, 1, 1, 1), /no size/)
  })
}

const pixels: KernelPixels = {
  type: 'uint16',
  at: 0,
  width: 2,
  height: 2,
  pixelStride: 1,
  rowStride: 2,
  bandOffsets: [0],
  mask: 0,
}

/** One call each whose last byte or sample lies just outside of the 64 bytes that are reserved. */
function reachingBeyond(kernels: Kernels, at: number): (() => unknown)[] {
  const here = { ...pixels, at }
  return [
    () => kernels.swapBytes(at, 33, 2),
    () => kernels.undoPredictor2(at, 3, 11, 1, 2),
    () => kernels.applyPredictor2(at, 1, 2 ** 40, 1, 1),
    () => kernels.decodePredictor3(at, 1, 17, 1, 4),
    () => kernels.encodePredictor3(at, 1, 9, 1, 8),
    () => kernels.expandBitsToBytes(at, at + 32, 1, 65),
    () => kernels.expandBitsToBytes(at, at + 60, 5, 8),
    () => kernels.copyByteRows(at, 8, at, 33, 32, 2),
    () => kernels.copyByteRows(at, 33, at, 8, 32, 2),
    () => kernels.copyBand(at, 1, 4, at + 4, 5, 0, 4, 1, 4),
    () => kernels.copyBand(at + 16, 2, 0, at, 1, 0, 4, 1, 8),
    () => kernels.filterUp(at, at, 16, 4, 1),
    () => kernels.markMissingPixels(at + 61, here, null),
    () => kernels.markMissingPixels(at, { ...here, bandOffsets: [0, 29] }, null),
    () => kernels.markMissingPixels(at, { ...here, rowStride: 31 }, null),
    () => kernels.halveMean({ ...here, width: 1, height: 1 }, { ...here, mask: at + 61 }, null),
  ]
}

test('source and target belong together', () => {
  const kernels = createKernels()
  const here = { ...pixels, at: kernels.memory.reserve(64) }
  assert.throws(() => kernels.halveMean(here, here, null), /not half/)
  assert.throws(() => kernels.halveMean({ ...here, type: 'int16' }, here, null), /differ/)
})

test('a row too long for the floating-point predictor is refused', () => {
  const kernels = createKernels()
  const at = kernels.memory.reserve(2 ** 23)
  assert.throws(() => kernels.decodePredictor3(at, 1, 2 ** 21, 1, 4), failsAs('budget'))
})
