import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noise, runBoth } from '../../../test/kernel-pair.ts'

const strides = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33, 70]
const widths = [1, 2, 3, 5, 8, 16, 17, 31, 67]
const rows = 3

/** Every stride with every width, in pixels and with a row that ends within one. */
const shapes = strides.flatMap((stride) =>
  widths.flatMap((width) => [
    { stride, rowSamples: width * stride },
    { stride, rowSamples: width * stride + (stride >> 1) },
  ]),
)

for (const sampleBytes of [1, 2, 4, 8] as const) {
  test(`differences of ${sampleBytes}-byte samples are undone and made`, () => {
    for (const { stride, rowSamples } of shapes) {
      const say = `stride ${stride}, ${rowSamples} samples a row`
      const bytes = noise(rows * rowSamples * sampleBytes, rowSamples * 97 + stride)
      const undone = runBoth(bytes, (k, at) => k.undoPredictor2(at, rows, rowSamples, stride, sampleBytes), say)
      const again = runBoth(undone.bytes, (k, at) => k.applyPredictor2(at, rows, rowSamples, stride, sampleBytes), say)
      assert.deepEqual(again.bytes, bytes, say)
    }
  })
}

for (const sampleBytes of [2, 4, 8] as const) {
  test(`differences of byte planes of ${sampleBytes}-byte floats are undone and made`, () => {
    for (const { stride, rowSamples } of shapes) {
      const say = `stride ${stride}, ${rowSamples} samples a row`
      const bytes = noise(rows * rowSamples * sampleBytes, rowSamples * 89 + stride)
      const undone = runBoth(bytes, (k, at) => k.decodePredictor3(at, rows, rowSamples, stride, sampleBytes), say)
      const again = runBoth(undone.bytes, (k, at) => k.encodePredictor3(at, rows, rowSamples, stride, sampleBytes), say)
      assert.deepEqual(again.bytes, bytes, say)
    }
  })
}
