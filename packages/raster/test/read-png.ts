import assert from 'node:assert/strict'
import { crc32, inflateSync } from 'node:zlib'

export interface ReadPng {
  readonly width: number
  readonly height: number
  readonly colourType: number
  readonly bits: number
  readonly chunks: readonly string[]
  /** Samples as they are stored, one a byte: palette indices or channels of a pixel together. */
  readonly samples: Uint8Array
  readonly rgba: Uint8Array
}

const channelsByColourType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * A PNG reader written from the standard (sections 5, 9 and 11), for the features that the encoder of the package uses.
 */
export function readPng(bytes: Uint8Array): ReadPng {
  const chunks = readChunks(Buffer.from(bytes))
  const header = chunks.find(([name]) => name === 'IHDR')![1]
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bits, colourType] = [header[8]!, header[9]!]
  assert.deepEqual([...header.subarray(10)], [0, 0, 0], 'deflate, the five filters, not interlaced')
  const packed = Buffer.concat(chunks.filter(([name]) => name === 'IDAT').map(([, body]) => body))
  const channels = channelsByColourType[colourType]!
  const rows = unfilter(
    inflateSync(packed),
    Math.ceil((width * channels * bits) / 8),
    height,
    Math.max(1, (channels * bits) >> 3),
  )
  const samples = unpack(rows, width * channels, height, bits)
  const body = (name: string): Uint8Array => chunks.find(([found]) => found === name)?.[1] ?? new Uint8Array(0)
  const rgba = widen(samples, colourType, body('PLTE'), body('tRNS'))
  return { width, height, colourType, bits, chunks: chunks.map(([name]) => name), samples, rgba }
}

function readChunks(file: Buffer): [string, Buffer][] {
  assert.equal(file.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n')
  const chunks: [string, Buffer][] = []
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    const end = at + 8 + length
    assert.equal(crc32(file.subarray(at + 4, end)), file.readUInt32BE(end), 'checksum of a chunk')
    chunks.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, end)])
    at = end + 4
  }
  return chunks
}

function unfilter(raw: Uint8Array, stride: number, height: number, step: number): Uint8Array {
  assert.equal(raw.length, (stride + 1) * height)
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < stride; i++) {
      const left = i < step ? 0 : out[y * stride + i - step]!
      const up = y === 0 ? 0 : out[(y - 1) * stride + i]!
      const corner = y === 0 || i < step ? 0 : out[(y - 1) * stride + i - step]!
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)]
      const guess = guesses[raw[y * (stride + 1)]!]
      assert.ok(guess !== undefined, 'there are five filters')
      out[y * stride + i] = raw[y * (stride + 1) + 1 + i]! + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [number, number, number]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

function unpack(rows: Uint8Array, rowSamples: number, height: number, bits: number): Uint8Array {
  if (bits === 8) return rows
  const stride = rows.length / height
  return Uint8Array.from({ length: rowSamples * height }, (_, i) => {
    const bit = (i % rowSamples) * bits
    return (rows[Math.floor(i / rowSamples) * stride + (bit >> 3)]! >> (8 - bits - (bit & 7))) & (2 ** bits - 1)
  })
}

function widen(samples: Uint8Array, colourType: number, colours: Uint8Array, alphas: Uint8Array): Uint8Array {
  const channels = channelsByColourType[colourType]!
  const rgba = new Uint8Array((samples.length / channels) * 4)
  for (let i = 0; i < rgba.length / 4; i++) {
    const from = samples.subarray(i * channels, (i + 1) * channels)
    const first = from[0]!
    if (colourType === 3) {
      assert.ok(first * 3 < colours.length, 'an index within the palette')
      rgba.set([...colours.subarray(first * 3, first * 3 + 3), alphas[first] ?? 255], i * 4)
    } else {
      const colour = channels >= 3 ? [...from.subarray(0, 3)] : [first, first, first]
      rgba.set([...colour, channels % 2 === 0 ? from[channels - 1]! : 255], i * 4)
    }
  }
  return rgba
}
