import { RasterFailure } from '../../../failures.ts'
import { createHuffmanTable } from './huffman.ts'
import type { HuffmanTable } from './huffman.ts'

/** One component of a frame: its sampling factors and the numbers of the tables that it uses. */
export interface JpegComponent {
  readonly id: number
  readonly across: number
  readonly down: number
  readonly quantization: number
}

export interface JpegFrame {
  readonly width: number
  readonly height: number
  readonly components: readonly JpegComponent[]
}

/** What the segments have said so far. */
export interface JpegTables {
  frame: JpegFrame | null
  readonly quantization: (Uint16Array | undefined)[]
  readonly direct: (HuffmanTable | undefined)[]
  readonly alternating: (HuffmanTable | undefined)[]
  restartInterval: number
}

/** The components of a scan, with their Huffman tables. */
export interface JpegScan {
  readonly members: readonly { readonly component: number; readonly direct: number; readonly alternating: number }[]
  /** Where the coded data begins. */
  readonly start: number
}

/** Coefficients are stored in zigzag order (ITU T.81, figure A.6): the place of each in rows of eight. */
export const ZIGZAG = Uint8Array.from(
  `0 1 8 16 9 2 3 10 17 24 32 25 18 11 4 5 12 19 26 33 40 48 41 34 27 20 13 6 7 14 21 28
  35 42 49 56 57 50 43 36 29 22 15 23 30 37 44 51 58 59 52 45 38 31 39 46 53 60 61 54 47 55 62 63`.split(/\s+/),
  Number,
)

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

export function emptyTables(): JpegTables {
  return { frame: null, quantization: [], direct: [], alternating: [], restartInterval: 0 }
}

/**
 * Reads segments from `at` up to the next scan, and answers it; null at the end of the image. A frame of another kind than
 * sequential Huffman with 8 bits is `unsupported`; everything that cannot be is `damaged`.
 */
export function readToScan(bytes: Uint8Array, at: number, tables: JpegTables): JpegScan | null {
  let place = at
  for (;;) {
    while (bytes[place] === 0xff && bytes[place + 1] === 0xff) place++
    if (place + 2 > bytes.length || bytes[place] !== 0xff) throw damagedJpeg()
    const marker = bytes[place + 1]!
    if (marker === END_OF_IMAGE) return null
    place += 2
    if (marker === 0xd8 || (marker >= 0xd0 && marker <= 0xd7)) continue
    const length = bytes[place]! * 256 + bytes[place + 1]!
    const end = place + length
    if (!(length >= 2) || end > bytes.length) throw damagedJpeg()
    const segment = bytes.subarray(place + 2, end)
    if (marker === START_OF_SCAN) return readScan(segment, tables, end)
    readSegment(marker, segment, tables)
    place = end
  }
}

function readSegment(marker: number, segment: Uint8Array, tables: JpegTables): void {
  if (marker === 0xdb) readQuantization(segment, tables)
  else if (marker === 0xc4) readHuffman(segment, tables)
  else if (marker === 0xdd) tables.restartInterval = segment[0]! * 256 + segment[1]!
  else if (marker === 0xc0 || marker === 0xc1) tables.frame = readFrame(segment, tables)
  else if (marker >= 0xc2 && marker <= 0xcf) {
    const kind = marker === 0xc2 ? 'progressive' : 'arithmetic or lossless'
    throw new RasterFailure('unsupported', `${kind} JPEG blocks of two or four components are not read`)
  }
}

function readFrame(segment: Uint8Array, tables: JpegTables): JpegFrame {
  if (tables.frame) throw damagedJpeg()
  const [precision, h1, h0, w1, w0, count] = segment as unknown as [number, number, number, number, number, number]
  if (precision !== 8) throw new RasterFailure('unsupported', `JPEG of ${precision} bits is not read`)
  if (!(count >= 1 && count <= 4) || segment.length < 6 + 3 * count) throw damagedJpeg()
  const components = Array.from({ length: count }, (_, index): JpegComponent => {
    const [id, factors, quantization] = segment.subarray(6 + 3 * index) as unknown as [number, number, number]
    return { id, across: factors >> 4, down: factors & 15, quantization }
  })
  const sound = components.every(({ across, down }) => across >= 1 && across <= 4 && down >= 1 && down <= 4)
  if (!sound) throw damagedJpeg()
  return { width: w1 * 256 + w0, height: h1 * 256 + h0, components }
}

function readQuantization(segment: Uint8Array, tables: JpegTables): void {
  for (let at = 0; at < segment.length;) {
    const head = segment[at++]!
    const size = head >> 4 ? 2 : 1
    if (at + 64 * size > segment.length || (head & 15) > 3) throw damagedJpeg()
    const table = new Uint16Array(64)
    for (let index = 0; index < 64; index++, at += size) {
      table[ZIGZAG[index]!] = size === 2 ? segment[at]! * 256 + segment[at + 1]! : segment[at]!
    }
    tables.quantization[head & 15] = table
  }
}

function readHuffman(segment: Uint8Array, tables: JpegTables): void {
  for (let at = 0; at < segment.length;) {
    const head = segment[at]!
    const counts = segment.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    if (at + 17 + total > segment.length || (head & 15) > 3 || total > 256) throw damagedJpeg()
    const table = createHuffmanTable(counts, segment.subarray(at + 17, at + 17 + total))
    if (head >> 4) tables.alternating[head & 15] = table
    else tables.direct[head & 15] = table
    at += 17 + total
  }
}

function readScan(segment: Uint8Array, { frame }: JpegTables, start: number): JpegScan {
  const count = segment[0]!
  if (!frame || !(count >= 1 && count <= 4) || segment.length < 4 + 2 * count) throw damagedJpeg()
  const members = Array.from({ length: count }, (_, index) => {
    const [id, selectors] = segment.subarray(1 + 2 * index) as unknown as [number, number]
    const component = frame.components.findIndex((other) => other.id === id)
    if (component < 0) throw damagedJpeg()
    return { component, direct: selectors >> 4, alternating: selectors & 15 }
  })
  return { members, start }
}

export function damagedJpeg(): RasterFailure {
  return new RasterFailure('damaged', 'a JPEG block of the file cannot be decoded')
}
