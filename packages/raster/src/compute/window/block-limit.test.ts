import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { RasterFailure } from '../../failures.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { openRaster } from '../../formats/open-raster.ts'
import { readWindow } from './read-window.ts'

const mib = 1_048_576

/** A zlib stream of zeros, a thousandth as long as the decoded bytes. */
function zerosOf(mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(mib), { finishFlush: constants.Z_FULL_FLUSH, level: 9 })
  const checksum = Buffer.alloc(4)
  // Adler-32 of zeros: the first sum stays 1, the second counts the bytes.
  checksum.writeUInt32BE(((mebibytes * mib) % 65_521) * 65_536 + 1)
  const end = Buffer.from([0x03, 0x00])
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: mebibytes }, () => piece), end, checksum])
}

/** A TIFF of one Deflate strip, 32,768 bytes a row and 32 rows a mebibyte. */
function oneStrip(mebibytes: number): Uint8Array {
  const strip = zerosOf(mebibytes)
  const height = mebibytes * 32
  const fields = [
    [256, 32_768],
    [257, height],
    [258, 8],
    [259, 8],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, height],
    [279, strip.length],
  ] as const
  const directory = Buffer.alloc(2 + fields.length * 12 + 4)
  directory.writeUInt16LE(fields.length)
  fields.forEach(([tag, value], index) => {
    const at = 2 + index * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(4, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt32LE(value, at + 8)
  })
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1')
  const padding = Buffer.alloc(strip.length % 2)
  head.writeUInt32LE(head.length + strip.length + padding.length, 4)
  return new Uint8Array(Buffer.concat([head, strip, padding, directory]))
}

async function readCorner(bytes: Uint8Array) {
  return readWindow(await openRaster(createMemorySource(bytes, 'strip')), {
    window: [0, 0, 4, 4],
    budget_bytes: 2 ** 31,
  })
}

test('a small file whose only strip decodes to 960 MiB is refused before memory is taken for it', async () => {
  const bytes = oneStrip(960)
  assert.ok(bytes.length < 1.2 * mib)
  const before = process.memoryUsage().rss
  await assert.rejects(
    readCorner(bytes),
    (error) => error instanceof RasterFailure && error.kind === 'budget' && error.message.includes('128 MiB'),
  )
  assert.ok(process.memoryUsage().rss - before < 32 * mib)
})

test('a strip of exactly the largest size is read, one mebibyte more is refused', async () => {
  const { data } = await readCorner(oneStrip(128))
  assert.deepEqual(
    [...data],
    Array.from({ length: 16 }, () => 0),
  )
  await assert.rejects(readCorner(oneStrip(129)), RasterFailure)
})
