import { readFileSync, readdirSync } from 'node:fs'
import {
  findFields,
  readValue,
  writeEntry,
  writeValue,
  type TiffFieldLocation,
  type TiffLayout,
} from './fuzz-raster-fields.ts'
import { createRandom } from './harness/random.ts'

const rasters = new URL('../../fixtures/rasters/', import.meta.url)
/** Small real-world images, in addition to the generated ones. */
const scenes = [
  'elevation-stormlake.tif',
  'elkton-labels.tif',
  'linz-rgbi16.tif',
  'tasman-lerc.tif',
  'tree-cover.tif',
  'world-jpeg.tif',
]

/** A file to be damaged. */
interface FormatCase {
  readonly name: string
  readonly bytes: Uint8Array
  readonly layout: TiffLayout | null
}

/** Every packing, every JPEG 2000 image, the unsupported files, and a few scenes. */
export function readCases(): FormatCase[] {
  const names = ['packings', 'jpeg2000', 'refused'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, rasters))
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  return [...names, ...scenes.map((name) => `scenes/${name}`)].map((name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, rasters)))
    return { name, bytes, layout: findFields(bytes) }
  })
}

/** A damaged file and a description of the damage. */
interface DamagedInput {
  readonly name: string
  readonly bytes: Uint8Array
  readonly damage: string
}

type Random = () => number
type Damage = (bytes: Uint8Array, random: Random, layout: TiffLayout | null) => Uint8Array

/** The same seed and number always give the same input. */
export function damagedInput(cases: readonly FormatCase[], seed: number, number: number): DamagedInput {
  const random = createRandom((seed ^ Math.imul(number + 1, 0x9e3779b1)) >>> 0)
  const { name, bytes, layout } = cases[number % cases.length]!
  const kinds = Object.entries(damages)
  const times = random() < 0.7 ? 1 : 2
  let damaged = Uint8Array.from(bytes)
  const damageNames: string[] = []
  for (let time = 0; time < times; time++) {
    const [kind, apply] = kinds[Math.floor(random() * kinds.length)]!
    damaged = apply(damaged, random, damaged.length === bytes.length ? layout : null) as Uint8Array<ArrayBuffer>
    damageNames.push(kind)
  }
  return { name, bytes: damaged, damage: damageNames.join(', ') }
}

const randomBelow = (random: Random, max: number): number => Math.floor(random() * max)

/** Headers are at the start, and in files that were modified later at the end. */
function chooseHeaderOffset(bytes: Uint8Array, random: Random): number {
  const length = Math.min(bytes.length, 1200)
  return random() < 0.75 ? randomBelow(random, length) : bytes.length - 1 - randomBelow(random, length)
}

function range(bytes: Uint8Array, random: Random): [start: number, end: number] {
  const start = randomBelow(random, bytes.length)
  return [start, Math.min(bytes.length, start + 1 + randomBelow(random, random() < 0.5 ? 16 : 2000))]
}

/** Sizes, counts and offsets at which arithmetic may fail. */
const extremes = [
  0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 255, 256, 257, 4095, 4096, 32_767, 32_768, 65_535, 65_536, 1_000_000, 16_777_215,
  0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 1_099_511_627_776, 9_007_199_254_740_992,
]

const extreme = (random: Random): number => extremes[randomBelow(random, extremes.length)]!

/** Tags of dimensions, layout, compression and georeferencing. */
const structuralTags = new Set([
  254, 256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 317, 320, 322, 323, 324, 325, 338, 339, 347, 33550, 33922,
  34264, 34735, 42112, 42113, 50674,
])

function chooseField({ fields }: TiffLayout, random: Random): TiffFieldLocation {
  const structuralFields = fields.filter(({ tag }) => structuralTags.has(tag))
  return structuralFields[randomBelow(random, structuralFields.length)]!
}

/** A random block, or any range in a file without a block table. */
function chooseBlock(bytes: Uint8Array, random: Random, layout: TiffLayout | null): [start: number, end: number] {
  const offsets = layout?.fields.filter(({ tag }) => tag === 273 || tag === 324) ?? []
  const counts = layout?.fields.filter(({ tag }) => tag === 279 || tag === 325) ?? []
  const which = randomBelow(random, offsets.length)
  const [field, lengths] = [offsets[which], counts[which]]
  if (!layout || !field || !lengths) return [randomBelow(random, bytes.length), bytes.length]
  const block = randomBelow(random, field.count)
  const start = readValue(bytes, layout, field, block)
  const end = start + readValue(bytes, layout, lengths, block)
  return start < end && end <= bytes.length ? [start, end] : range(bytes, random)
}

const damages: Readonly<Record<string, Damage>> = {
  'header bits flipped': (bytes, random) => {
    for (let count = 1 + randomBelow(random, 6); count > 0; count--)
      bytes[chooseHeaderOffset(bytes, random)]! ^= 1 << randomBelow(random, 8)
    return bytes
  },
  'bytes anywhere changed': (bytes, random) => {
    for (let count = 1 + randomBelow(random, 12); count > 0; count--)
      bytes[randomBelow(random, bytes.length)] = randomBelow(random, 256)
    return bytes
  },
  'cut short': (bytes, random) => bytes.slice(0, randomBelow(random, bytes.length)),
  'a range zeroed': (bytes, random) => bytes.fill(0, ...range(bytes, random)),
  'a range filled with ones': (bytes, random) => bytes.fill(0xff, ...range(bytes, random)),
  'two ranges swapped': (bytes, random) => {
    const [start, end] = range(bytes, random)
    const other = randomBelow(random, Math.max(1, bytes.length - (end - start)))
    const saved = bytes.slice(start, end)
    bytes.copyWithin(start, other, other + saved.length)
    bytes.set(saved.subarray(0, bytes.length - other), other)
    return bytes
  },
  'bytes removed': (bytes, random) => {
    const [start, end] = range(bytes, random)
    return Uint8Array.from([...bytes.subarray(0, start), ...bytes.subarray(end)])
  },
  'bytes inserted': (bytes, random) => {
    const [start, end] = range(bytes, random)
    return Uint8Array.from([...bytes.subarray(0, end), ...bytes.subarray(start)])
  },
  'field value replaced': (bytes, random, layout) => {
    if (!layout) return damageMarker(bytes, random)
    const field = chooseField(layout, random)
    writeValue(bytes, layout, field, { index: randomBelow(random, Math.min(field.count, 8)), value: extreme(random) })
    return bytes
  },
  'field value changed slightly': (bytes, random, layout) => {
    if (!layout) return damageMarker(bytes, random)
    const field = chooseField(layout, random)
    const index = randomBelow(random, Math.min(field.count, 8))
    const change = (1 + randomBelow(random, 3)) * (random() < 0.5 ? -1 : 1)
    writeValue(bytes, layout, field, { index, value: readValue(bytes, layout, field, index) + change })
    return bytes
  },
  'field count, type or tag replaced': (bytes, random, layout) => {
    if (!layout) return damageMarker(bytes, random)
    const what = (['count', 'type', 'tag'] as const)[randomBelow(random, 3)]!
    const value =
      what === 'count'
        ? extreme(random)
        : what === 'type'
          ? randomBelow(random, 20)
          : [...structuralTags][randomBelow(random, structuralTags.size)]!
    writeEntry(bytes, layout, chooseField(layout, random), { member: what, value })
    return bytes
  },
  'bytes of a block changed': (bytes, random, layout) => {
    const [start, end] = chooseBlock(bytes, random, layout)
    for (let count = 1 + randomBelow(random, 8); count > 0; count--)
      bytes[start + randomBelow(random, end - start)] = randomBelow(random, 256)
    return bytes
  },
  'start of a block changed': (bytes, random, layout) => {
    const [start, end] = chooseBlock(bytes, random, layout)
    const length = Math.min(end - start, 100)
    for (let count = 1 + randomBelow(random, 4); count > 0; count--)
      bytes[start + randomBelow(random, length)] = [0, 1, 0x7f, 0x80, 0xff, randomBelow(random, 256)][
        randomBelow(random, 6)
      ]!
    return bytes
  },
  'part of a block zeroed': (bytes, random, layout) => {
    const [start, end] = chooseBlock(bytes, random, layout)
    const from = start + randomBelow(random, end - start)
    return bytes.fill(random() < 0.5 ? 0 : 0xff, from, Math.min(end, from + 1 + randomBelow(random, 200)))
  },
}

/** Damages a marker segment of a JPEG 2000 codestream (or what looks like one): its length or one of its first bytes. */
function damageMarker(bytes: Uint8Array, random: Random): Uint8Array {
  // An earlier damage may have cut it off.
  if (bytes.length < 4) return bytes
  const markerOffsets: number[] = []
  for (let at = 0; at + 4 < bytes.length && markerOffsets.length < 400; at++) {
    if (bytes[at] === 0xff && bytes[at + 1]! >= 0x4f && bytes[at + 1]! <= 0x93) markerOffsets.push(at)
  }
  const markerOffset =
    markerOffsets[randomBelow(random, Math.min(markerOffsets.length, random() < 0.7 ? 12 : 400))] ?? 0
  const at = markerOffset + 2 + randomBelow(random, 44)
  if (random() < 0.5) bytes[at] = [0, 1, 0x7f, 0x80, 0xff, randomBelow(random, 256)][randomBelow(random, 6)]!
  else new DataView(bytes.buffer, bytes.byteOffset).setUint32(Math.min(at, bytes.length - 4), extreme(random) >>> 0)
  return bytes
}
