import { RasterFailure } from '../../failures.ts'
import type { TiffHeaderReader } from '../tiff/header-reader.ts'

/** The contents of the boxes of a .jp2 file (ISO 15444-1, annex I) around the codestream. */
export interface Jp2Boxes {
  /** Offset of the codestream; its length is unknown if its box reaches to the end of the file. */
  readonly codestream: { readonly offset: number; readonly length: number | null }
  /** A little GeoTIFF without pixels, in a box of its own kind. */
  readonly geoTiff: Uint8Array | null
  /** The GML that describes the grid. */
  readonly gml: string | null
  readonly hasPalette: boolean
  /** 16 sRGB, 17 gray, 18 YCbCr; null where the file does not say, or gives a profile. */
  readonly colours: number | null
  /** 0-based index of the channel that is opacity. */
  readonly alphaBand: number | null
}

interface Box {
  readonly type: string
  /** Of the content of the box. */
  readonly offset: number
  readonly length: number | null
}

const signatureWords = [0x0000000c, 0x6a502020, 0x0d0a870a]
const geotiffUuid = 'b14bf8bd083d4b43a5ae8cd7d5a6ce03'
const max_boxes = 64
const max_box_bytes = 1_048_576
const max_depth = 4

/** True for the first twelve bytes of a .jp2 file. */
export function isJp2(head: DataView): boolean {
  return head.byteLength >= 12 && signatureWords.every((word, index) => head.getUint32(index * 4) === word)
}

/** True for the first bytes of a bare codestream. */
export function isJpeg2000Codestream(head: DataView): boolean {
  return head.byteLength >= 4 && head.getUint32(0) === 0xff4fff51
}

/**
 * Reads the boxes up to the codestream, and those behind it where nothing before said where the image lies. A file
 * without a codestream is `damaged`.
 */
export async function readJp2Boxes(reader: TiffHeaderReader, size: number | undefined): Promise<Jp2Boxes> {
  const found = {
    codestream: null as Jp2Boxes['codestream'] | null,
    geoTiff: null as Uint8Array | null,
    gml: null as string | null,
    hasPalette: false,
    colours: null as number | null,
    alphaBand: null as number | null,
  }
  let offset = 0
  for (let count = 0; count < max_boxes; count++) {
    if (found.codestream && (found.geoTiff || found.gml || size === undefined || offset + 8 > size)) break
    const box = await readBox(reader, offset, size ?? Number.MAX_SAFE_INTEGER).catch((error: unknown) => {
      // Whatever stands behind the image may be broken.
      if (found.codestream) return null
      throw error
    })
    if (!box) break
    if (box.type === 'jp2c') found.codestream ??= { offset: box.offset, length: box.length }
    else if (box.length !== null && box.length <= max_box_bytes && contentBoxes.has(box.type)) {
      keep(found, box.type, bytesOf(await reader.read(box.offset, box.length)), 0)
    }
    if (box.length === null) break
    offset = box.offset + box.length
  }
  const { codestream } = found
  if (!codestream) throw new RasterFailure('damaged', 'the JPEG 2000 file contains no image')
  return { ...found, codestream }
}

const contentBoxes: ReadonlySet<string> = new Set(['jp2h', 'uuid', 'asoc', 'xml '])

type Found = { -readonly [Key in Exclude<keyof Jp2Boxes, 'codestream'>]: Jp2Boxes[Key] }

function keep(found: Found, type: string, content: Uint8Array, depth: number): void {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength)
  if (type === 'uuid') {
    if (Buffer.from(content.subarray(0, 16)).toString('hex') === geotiffUuid) found.geoTiff ??= content.slice(16)
  } else if (type === 'xml ') {
    const text = new TextDecoder().decode(content)
    if (text.includes('RectifiedGrid')) found.gml ??= text
  } else if (type === 'pclr') found.hasPalette = true
  else if (type === 'colr') {
    if (content.length >= 7 && content[0] === 1) found.colours ??= view.getUint32(3)
  } else if (type === 'cdef') found.alphaBand = opacityChannel(view)
  else if ((type === 'jp2h' || type === 'asoc') && depth < max_depth) {
    for (const inner of innerBoxes(view)) {
      keep(found, inner.type, content.subarray(inner.offset, inner.offset + inner.length!), depth + 1)
    }
  }
}

// Channel definitions: number, kind (0 colour, 1 opacity, 2 premultiplied opacity) and association.
function opacityChannel(view: DataView): number | null {
  const count = view.byteLength >= 2 ? view.getUint16(0) : 0
  for (let at = 2; at + 6 <= view.byteLength && at < 2 + count * 6; at += 6) {
    const kind = view.getUint16(at + 2)
    if (kind === 1 || kind === 2) return view.getUint16(at)
  }
  return null
}

function* innerBoxes(view: DataView): Generator<Box> {
  let at = 0
  for (let count = 0; count < max_boxes && at + 8 <= view.byteLength; count++) {
    const length = view.getUint32(at) || view.byteLength - at
    if (length < 8 || at + length > view.byteLength) return
    yield { type: typeAt(view, at + 4), offset: at + 8, length: length - 8 }
    at += length
  }
}

async function readBox(reader: TiffHeaderReader, offset: number, size: number): Promise<Box> {
  const head = await reader.read(offset, 8)
  const type = typeAt(head, 4)
  const short = head.getUint32(0)
  if (short === 0)
    return { type, offset: offset + 8, length: size === Number.MAX_SAFE_INTEGER ? null : size - offset - 8 }
  const long = short === 1 ? Number((await reader.read(offset + 8, 8)).getBigUint64(0)) : short
  const headBytes = short === 1 ? 16 : 8
  if (!(long >= headBytes) || offset + long > size) {
    // An image that is cut short may still have whole tiles.
    if (type === 'jp2c' && offset + headBytes <= size)
      return { type, offset: offset + headBytes, length: size - offset - headBytes }
    throw new RasterFailure('damaged', `a section of the JPEG 2000 file is said to be ${long} bytes long`)
  }
  return { type, offset: offset + headBytes, length: long - headBytes }
}

function typeAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(at + place)))
}

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}
