import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noise, runBoth } from '../../../test/kernel-pair.ts'

const lengths = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 257]

test('bytes of samples are turned around', () => {
  for (const sampleBytes of [2, 4, 8] as const)
    for (const count of lengths) {
      const bytes = noise(count * sampleBytes, count)
      const run = runBoth(bytes, (k, at) => k.swapBytes(at, count, sampleBytes), `${count} of ${sampleBytes}`)
      for (let i = 0; i < count; i++)
        assert.deepEqual(
          run.bytes.subarray(i * sampleBytes, (i + 1) * sampleBytes).toReversed(),
          bytes.subarray(i * sampleBytes, (i + 1) * sampleBytes),
        )
    }
})

test('bits are spread over bytes', () => {
  for (const rowSamples of [1, 7, 8, 9, 15, 16, 17, 24, 33, 100])
    for (const rows of [0, 1, 3]) {
      const packed = noise(rows * Math.ceil(rowSamples / 8), rowSamples)
      const bytes = Buffer.concat([packed, Buffer.alloc(rows * rowSamples, 7)])
      runBoth(bytes, (k, at) => k.expandBitsToBytes(at + packed.length, at, rows, rowSamples), `${rowSamples} bits`)
    }
  const run = runBoth(
    Uint8Array.of(0b1010_0001, 0, 0, 0),
    (k, at) => k.expandBitsToBytes(at + 1, at, 1, 3),
    'three bits',
  )
  assert.deepEqual([...run.bytes.subarray(1)], [255, 0, 255])
})

test('rows are copied between places of different width', () => {
  for (const rowBytes of lengths)
    for (const [toGap, fromGap] of [
      [0, 0],
      [5, 0],
      [0, 3],
    ] as const) {
      const [toRow, fromRow, rows] = [rowBytes + toGap, rowBytes + fromGap, 4]
      const bytes = noise((toRow + fromRow) * rows, rowBytes)
      runBoth(
        bytes,
        (k, at) => k.copyByteRows(at + fromRow * rows, toRow, at, fromRow, rowBytes, rows),
        `${rowBytes} bytes`,
      )
    }
})

test('a band is taken out of pixels, and put into them', () => {
  for (const sampleBytes of [1, 2, 4, 8] as const)
    for (const width of [0, 1, 3, 4, 5, 16, 21])
      for (const [toPixel, fromPixel] of [
        [1, 1],
        [1, 3],
        [1, 4],
        [4, 1],
        [3, 2],
        [1, 9],
      ] as const) {
        const rows = 3
        const [toRow, fromRow] = [width * toPixel + 2, width * fromPixel + 1]
        const half = fromRow * rows * sampleBytes
        const to = Math.ceil(half / 8) * 8
        const bytes = noise(to + toRow * rows * sampleBytes, width * 8 + toPixel)
        runBoth(
          bytes,
          (k, at) => k.copyBand(at + to, toPixel, toRow, at, fromPixel, fromRow, width, rows, sampleBytes),
          `${width} pixels of ${sampleBytes} bytes, ${fromPixel} to ${toPixel}`,
        )
      }
})

test('rows are filtered as PNG undoes them', () => {
  for (const pixelBytes of [1, 2, 3, 4])
    for (const width of [1, 2, 5, 16, 23])
      for (const rows of [0, 1, 2, 4]) {
        const rowBytes = width * pixelBytes
        const image = noise(rowBytes * rows, rowBytes + rows)
        const bytes = Buffer.concat([image, Buffer.alloc((rowBytes + 1) * rows)])
        const say = `${width} pixels of ${pixelBytes} bytes, ${rows} rows`
        const run = runBoth(bytes, (k, at) => k.filterUp(at + image.length, at, rowBytes, rows, pixelBytes), say)
        assert.deepEqual(unfilter(run.bytes.subarray(image.length), rowBytes, pixelBytes), image, say)
      }
})

/** Undoes the filters Sub and Up (ISO/IEC 15948, 9.2). */
function unfilter(filtered: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = filtered.length / (rowBytes + 1)
  const image = new Uint8Array(rows * rowBytes)
  for (let y = 0; y < rows; y++) {
    const kind = filtered[y * (rowBytes + 1)]!
    assert.equal(kind, y === 0 ? 1 : 2)
    for (let i = 0; i < rowBytes; i++) {
      const at = y * rowBytes + i
      const before = kind === 2 ? image[at - rowBytes]! : i < pixelBytes ? 0 : image[at - pixelBytes]!
      image[at] = filtered[y * (rowBytes + 1) + 1 + i]! + before
    }
  }
  return image
}
