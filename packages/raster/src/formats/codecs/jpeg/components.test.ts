import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RasterFailure } from '../../../failures.ts'
import { decodeComponents } from './components.ts'

interface TestPicture {
  readonly width: number
  readonly height: number
  /** Sampling factors of each component. */
  readonly factors: readonly (readonly [across: number, down: number])[]
  readonly restartInterval?: number
  /** Each component in a scan of its own. */
  readonly apart?: boolean
  readonly frameMarker?: number
}

/** What the flat block of a component at a place of its block grid is: something different everywhere. */
const levelAt = (component: number, column: number, row: number): number =>
  20 + ((component * 53 + column * 29 + row * 17) % 200)

const segment = (marker: number, ...bytes: number[]): number[] => [
  0xff,
  marker,
  (bytes.length + 2) >> 8,
  (bytes.length + 2) & 255,
  ...bytes,
]

// Every block is flat: one difference of the mean, then "no more". The tables: differences of 0 to 11 bits have codes of
// four bits that are that number, "no more" is a single 0.
const DIFFERENCES = [0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const NO_MORE = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

function encode(picture: TestPicture): Uint8Array {
  const { width, height, factors, restartInterval = 0, apart = false, frameMarker = 0xc0 } = picture
  const frame = factors.flatMap(([across, down], index) => [index + 1, across * 16 + down, 0])
  const all = factors.map((_, index) => index)
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segment(0xdb, 0, ...Array.from({ length: 64 }, () => 8)),
    ...segment(0xc4, 0x00, ...DIFFERENCES),
    ...segment(0xc4, 0x10, ...NO_MORE),
    ...segment(0xdd, restartInterval >> 8, restartInterval & 255),
    ...segment(frameMarker, 8, height >> 8, height & 255, width >> 8, width & 255, factors.length, ...frame),
    ...(apart ? all.map((index) => [index]) : [all]).flatMap((members) => [
      ...segment(0xda, members.length, ...members.flatMap((index) => [index + 1, 0]), 0, 63, 0),
      ...encodeScan(picture, members, restartInterval),
    ]),
    0xff,
    0xd9,
  ])
}

function encodeScan({ width, height, factors }: TestPicture, members: number[], restartInterval: number): number[] {
  const most = Math.max(...factors.map(([across]) => across))
  const tallest = Math.max(...factors.map(([, down]) => down))
  const single = members.length === 1
  const [across, down] = factors[members[0]!]!
  const columns = single ? Math.ceil((width * across) / most / 8) : Math.ceil(width / 8 / most)
  const rows = single ? Math.ceil((height * down) / tallest / 8) : Math.ceil(height / 8 / tallest)
  let previous = factors.map(() => 0)
  let bits = ''
  const bytes: number[] = []
  const flush = (): void => {
    for (const byte of bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []) {
      bytes.push(Number.parseInt(byte, 2), ...(byte === '11111111' ? [0] : []))
    }
    bits = ''
  }
  const block = (component: number, column: number, row: number): void => {
    // A mean of one eighth of the coefficient times 8, the quantization, around 128.
    const mean = levelAt(component, column, row) - 128
    const difference = mean - previous[component]!
    previous[component] = mean
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1
    const value = difference < 0 ? difference + 2 ** size - 1 : difference
    bits += size.toString(2).padStart(4, '0') + (size > 0 ? value.toString(2).padStart(size, '0') : '') + '0'
  }
  for (let unit = 0; unit < columns * rows; unit++) {
    if (restartInterval > 0 && unit > 0 && unit % restartInterval === 0) {
      flush()
      bytes.push(0xff, 0xd0 + ((unit / restartInterval - 1) % 8))
      previous = factors.map(() => 0)
    }
    const [column, row] = [unit % columns, Math.floor(unit / columns)]
    for (const component of members) {
      const [wide, high] = single ? [1, 1] : factors[component]!
      for (let y = 0; y < high; y++) {
        for (let x = 0; x < wide; x++) block(component, column * wide + x, row * high + y)
      }
    }
  }
  flush()
  return bytes
}

function expected({ width, height, factors }: TestPicture): number[] {
  const most = Math.max(...factors.map(([across]) => across))
  const tallest = Math.max(...factors.map(([, down]) => down))
  const samples: number[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const [component, [across, down]] of factors.entries()) {
        samples.push(levelAt(component, Math.floor((x * across) / most / 8), Math.floor((y * down) / tallest / 8)))
      }
    }
  }
  return samples
}

const one = [1, 1] as const
const two = [2, 2] as const
const PICTURES: Readonly<Record<string, TestPicture>> = {
  'four components': { width: 45, height: 30, factors: [one, one, one, one] },
  'four components with restart markers': { width: 45, height: 30, factors: [one, one, one, one], restartInterval: 3 },
  'two components in scans of their own': { width: 20, height: 50, factors: [one, one], apart: true },
  'four components, two of them smaller': { width: 61, height: 37, factors: [two, one, one, two], restartInterval: 1 },
  'smaller ones in scans of their own': { width: 61, height: 37, factors: [two, one, [2, 1], two], apart: true },
  'an extended frame': { width: 9, height: 9, factors: [one, one, one, one], frameMarker: 0xc1 },
}

for (const [name, picture] of Object.entries(PICTURES)) {
  test(`${name}: every flat block comes back where it was`, () => {
    assert.deepEqual([...decodeComponents(encode(picture), () => {})], expected(picture))
  })
}

const fails = (bytes: Uint8Array, kind: string, word = ''): void =>
  assert.throws(
    () => decodeComponents(bytes, () => {}),
    (error) => error instanceof RasterFailure && error.kind === kind && error.message.includes(word),
  )

test('progressive and arithmetic frames, and samples of 12 bits, are refused by name', () => {
  const picture = PICTURES['four components']!
  fails(encode({ ...picture, frameMarker: 0xc2 }), 'unsupported', 'progressive')
  fails(encode({ ...picture, frameMarker: 0xc9 }), 'unsupported', 'arithmetic')
  const bytes = encode(picture)
  bytes[bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xc0) + 4] = 12
  fails(bytes, 'unsupported', '12 bits')
})

test('the size is seen before room is made for it', () => {
  const bytes = encode(PICTURES['four components']!)
  const frame = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xc0)
  bytes.fill(0xff, frame + 5, frame + 9)
  assert.throws(
    () =>
      decodeComponents(bytes, ({ width, height }) => {
        throw new RangeError(`${width} ${height}`)
      }),
    /65535 65535/,
  )
})

test('a picture cut short anywhere, or with any byte changed, ends in itself or in a named failure', () => {
  const bytes = encode(PICTURES['four components with restart markers']!)
  for (let length = 0; length < bytes.length - 2; length++) {
    assert.throws(
      () => decodeComponents(bytes.subarray(0, length), () => {}),
      (error) => error instanceof RasterFailure,
    )
  }
  for (let at = 2; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes)
    changed[at] = changed[at]! ^ (1 << (at % 8))
    try {
      decodeComponents(changed, ({ width, height }) => {
        if (width * height > 100_000) throw new RasterFailure('damaged', 'too large')
      })
    } catch (error) {
      assert.ok(error instanceof RasterFailure, `byte ${at}: ${String(error)}`)
    }
  }
})
