import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import turbo from '@julusian/jpeg-turbo'
import { decodeJpeg2000Codestream, decodeJpegBitExact } from './codec-module.ts'

const repository = new URL('../../../../../', import.meta.url)
const [WIDTH, HEIGHT] = [61, 37]

/** A smooth image, which compression changes little. */
const samples = (channels: number): Buffer =>
  Buffer.from(
    Array.from({ length: WIDTH * HEIGHT * channels }, (_, i) => {
      const pixel = Math.floor(i / channels)
      return 40 + 2 * (pixel % WIDTH) + (i % channels) * 20 + Math.floor(pixel / WIDTH)
    }),
  )

function encode(channels: 1 | 3): Buffer {
  const format = channels === 1 ? turbo.FORMAT_GRAY : turbo.FORMAT_RGB
  const subsampling = channels === 1 ? turbo.SAMP_GRAY : turbo.SAMP_444
  return turbo.compressSync(samples(channels), { format, width: WIDTH, height: HEIGHT, subsampling, quality: 98 })
}

test('the module was built from the sources beside it', () => {
  const sums = readFileSync(new URL('tools/codecs/sums.txt', repository), 'utf8').trim().split('\n')
  assert.equal(sums.length, 3)
  for (const line of sums) {
    const [sum, path] = line.split('  ')
    const actual = createHash('sha256').update(readFileSync(new URL(path!, repository)))
    assert.equal(actual.digest('hex'), sum, `${path} changed: run tools/codecs/build.sh`)
  }
})

for (const channels of [1, 3] as const)
  test(`a JPEG of ${channels} components comes back as it was, but for the loss of the compression`, () => {
    const image = decodeJpegBitExact(encode(channels))
    assert.deepEqual([image?.width, image?.height, image?.components], [WIDTH, HEIGHT, channels])
    for (const [at, value] of samples(channels).entries())
      assert.ok(Math.abs(image!.bytes[at]! - value) <= 4, `sample ${at}: ${image!.bytes[at]}, ${value}`)
  })

test('a JPEG cut short or damaged anywhere gives null or an image of its size, and the next one is decoded', () => {
  const bytes = encode(3)
  const whole = decodeJpegBitExact(bytes)!
  for (let length = 0; length < bytes.length - 2; length += 13)
    assert.equal(decodeJpegBitExact(bytes.subarray(0, length)), null)
  for (let at = 2; at < bytes.length; at += 7) {
    // A size that was changed is checked before, by the caller.
    if (bytes[at - 2] === 0xff && bytes[at - 1] === 0xc0) continue
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1 << (at % 8)
    const image = decodeJpegBitExact(changed)
    if (image) assert.equal(image.bytes.length, image.width * image.height * image.components)
  }
  assert.deepEqual(decodeJpegBitExact(bytes), whole)
})

test('bytes that are not a codestream give null', () => {
  assert.equal(decodeJpeg2000Codestream(new Uint8Array(0), 0, 1, 8, false), null)
  assert.equal(decodeJpeg2000Codestream(Uint8Array.of(0xff, 0x4f, 0xff, 0x51, 0, 4), 0, 3, 16, true), null)
})
