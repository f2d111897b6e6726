import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib'
import { noise, numbersFrom, runOn } from '../../../test/kernel-pair.ts'
import { RasterFailure } from '../../failures.ts'
import { createKernels } from './index.ts'
import { createReferenceKernels } from '../../../test/kernels/reference.ts'
import type { Kernels } from './types.ts'

const compiled = createKernels()
const reference = createReferenceKernels()

/** The decompressed stream, or null if it is refused. The stream itself must not change. */
function inflateWith(kernels: Kernels, stream: Uint8Array, capacity: number): Uint8Array | null {
  const to = Math.ceil(stream.length / 16) * 16
  const bytes = new Uint8Array(to + capacity)
  bytes.set(stream)
  const { answer, bytes: after } = runOn(kernels, bytes, (k, at) => {
    try {
      return k.inflate(at + to, capacity, at, stream.length)
    } catch (error) {
      assert.ok(error instanceof RasterFailure && error.kind === 'damaged', String(error))
      return null
    }
  })
  assert.ok(Buffer.from(after.subarray(0, stream.length)).equals(stream))
  return answer === null ? null : after.subarray(to, to + (answer as number))
}

function assertSame(stream: Uint8Array, capacity: number, say: string): Uint8Array | null {
  const [own, known] = [inflateWith(compiled, stream, capacity), inflateWith(reference, stream, capacity)]
  assert.equal(own === null, known === null, say)
  if (own && known) assert.ok(Buffer.from(own).equals(known), say)
  return own
}

type Sort = 'noise' | 'imagery' | 'runs' | 'flat' | 'skewed' | 'periods'
const sorts: readonly Sort[] = ['noise', 'imagery', 'runs', 'flat', 'skewed', 'periods']

/** Bytes that make a compressor do different things. */
function plainBytes(sort: Sort, length: number, seed: number): Uint8Array {
  const next = numbersFrom(seed)
  const bytes = noise(length, seed)
  if (sort === 'noise') return bytes
  if (sort === 'flat') return bytes.fill(next(256))
  if (sort === 'skewed') return bytes.map((byte) => 255 - Math.clz32((byte << 16) | next(65_536)))
  if (sort === 'imagery') return bytes.map((byte, i) => (i % 2 === 0 ? byte & 31 : byte < 128 ? 0 : 255))
  const [most, values] = sort === 'runs' ? [300, 4] : [40, 256]
  for (let at = 0; at < length;) {
    const run = 1 + next(most)
    if (sort === 'runs' || at < 64) bytes.fill(next(values), at, at + run)
    else bytes.copyWithin(at, at - 1 - next(60), Math.min(length, at + run))
    at += run
  }
  return bytes
}

const strategies = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_FIXED,
  constants.Z_RLE,
  constants.Z_FILTERED,
]

function optionsFrom(next: (limit: number) => number): ZlibOptions {
  return {
    level: next(10),
    memLevel: 1 + next(9),
    windowBits: 9 + next(7),
    strategy: strategies[next(strategies.length)]!,
  }
}

test('what zlib deflates comes out again, whatever its way', () => {
  const next = numbersFrom(1)
  const lengths = [0, 1, 2, 3, 15, 16, 17, 255, 300, 600, 4000, 33_000, 100_000]
  for (const sort of sorts)
    for (const length of lengths) {
      const bytes = plainBytes(sort, length, length + 1)
      const options = optionsFrom(next)
      const stream = deflateSync(bytes, options)
      const say = `${sort} ${length} ${JSON.stringify(options)}`
      assert.ok(Buffer.from(assertSame(stream, length, say) ?? [1]).equals(bytes), say)
      const padded = Buffer.concat([stream, noise(20, length)])
      assert.ok(Buffer.from(assertSame(padded, length + 700, say) ?? [1]).equals(bytes), say)
      if (length > 0) assert.equal(assertSame(stream, length - 1, say), null, say)
    }
})

test('blocks of all kinds follow each other', () => {
  const bytes = plainBytes('imagery', 20_000, 3)
  const parts: Buffer[] = []
  for (const [at, strategy] of [
    [0, constants.Z_FIXED],
    [5000, constants.Z_DEFAULT_STRATEGY],
    [10_000, constants.Z_FIXED],
    [15_000, constants.Z_HUFFMAN_ONLY],
  ] as const) {
    const raw = deflateSync(bytes.subarray(at, at + 5000), { strategy, finishFlush: constants.Z_SYNC_FLUSH })
    parts.push(raw.subarray(2))
  }
  const whole = deflateSync(bytes)
  const end = deflateSync(new Uint8Array(0)).subarray(2, -4)
  const stream = Buffer.concat([whole.subarray(0, 2), ...parts, end, whole.subarray(-4)])
  assert.ok(inflateSync(stream).equals(bytes))
  assert.ok(Buffer.from(assertSame(stream, bytes.length, 'blocks')!).equals(bytes))
})

test('headers and check sums must be right', () => {
  const stream = deflateSync(plainBytes('imagery', 500, 4))
  for (const [at, value] of [
    [0, 0x79],
    [0, 0x88],
    [1, 0x9d],
    [1, 0xbb],
    [stream.length - 1, stream.at(-1)! ^ 1],
  ] as const) {
    const wrong = Buffer.from(stream)
    wrong[at] = value
    assert.equal(assertSame(wrong, 500, `${at} ${value}`), null)
  }
})

test('codes that cannot be are refused', () => {
  // Bits of a last block with described codes, from its first bit on (RFC 1951, 3.2.3 and 3.2.7).
  for (const [say, bits] of [
    ['an unknown kind of block', '1 11'],
    ['too many letters', '1 01 11111 00000 0000'],
    ['oversubscribed lengths', `1 01 00000 00000 1111 ${'100'.repeat(19)}`],
    ['incomplete lengths', `1 01 00000 00000 0000 010 000 000 000`],
    ['a repeat of nothing', `1 01 00000 00000 0000 100 000 000 100 0 00`],
    ['no end of the block', `1 01 00000 00000 0000 000 000 100 100 ${'1 1111111 '.repeat(2)}`],
  ] as const)
    assert.equal(
      assertSame(Buffer.concat([Buffer.of(0x78, 0x9c), packBits(bits), Buffer.alloc(40)]), 1000, say),
      null,
      say,
    )
})

/** Bits in the order of the stream. */
function packBits(text: string): Buffer {
  const bits = text.replaceAll(' ', '')
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (let i = 0; i < bits.length; i++) if (bits[i] === '1') bytes[i >> 3]! |= 1 << (i & 7)
  return bytes
}

test('damaged streams are refused where zlib refuses them, and nothing is written outside', () => {
  const next = numbersFrom(7)
  let [refused, accepted] = [0, 0]
  for (let round = 0; round < 600; round++) {
    const length = 1 + next(round % 10 === 0 ? 20_000 : 900)
    const stream = deflateSync(plainBytes(sorts[next(sorts.length)]!, length, round), optionsFrom(next))
    const broken = damage(stream, next)
    if (assertSame(broken, length, `round ${round}`) === null) refused++
    const mended = withTrueSum(broken)
    if (mended) accepted += assertSame(mended, 40_000, `round ${round}, mended`) === null ? 0 : 1
  }
  assert.ok(refused > 400 && accepted > 40, `${refused} refused, ${accepted} accepted`)
})

/** The stream with the check sum of the bytes that zlib decodes from it; null if zlib decodes none. */
function withTrueSum(stream: Buffer): Buffer | null {
  try {
    const { buffer, engine } = inflateRawSync(stream.subarray(2), {
      info: true,
      maxOutputLength: 40_000,
    }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    const end = 2 + engine.bytesWritten
    return Buffer.concat([Buffer.of(0x78, 0x9c), stream.subarray(2, end), deflateSync(buffer).subarray(-4)])
  } catch {
    return null
  }
}

/** Changes bits or bytes, cuts, or repeats a part; the check sum at the end is seldom what saves us. */
function damage(stream: Buffer, next: (limit: number) => number): Buffer {
  const kind = next(5)
  if (kind === 0) return stream.subarray(0, next(stream.length))
  const broken = Buffer.from(stream)
  if (kind === 1) return Buffer.concat([broken.subarray(0, next(stream.length)), broken.subarray(next(stream.length))])
  for (let times = 1 + next(3); times > 0; times--) {
    // Codes are described at the beginning, where most can be wrong.
    const at = kind === 2 ? 2 + next(Math.min(100, stream.length - 2)) : next(stream.length)
    broken[at] = kind === 4 ? next(256) : broken[at]! ^ (1 << next(8))
  }
  return broken
}
