import turbo from '@julusian/jpeg-turbo'
import { RasterFailure } from '../../failures.ts'
import type { BlockShape } from './block-shape.ts'
import { decodeJpegBitExact } from './codec-module.ts'

const startOfScan = Buffer.of(0xff, 0xda)
const max_scans = 64

/**
 * Decodes a JPEG block of one to four components into interleaved 8-bit samples; three are turned from YCbCr into RGB
 * where the JPEG says so (or says nothing), two and four stay what they are. The tables that the file keeps once for all
 * blocks are put in front. The size that the JPEG claims is checked before anything is decoded.
 */
export function decodeJpeg(bytes: Uint8Array, shape: BlockShape): Uint8Array {
  const whole = joinTables(bytes, shape.jpegTables)
  const frame = readJpegFrame(whole)
  if (frame.precision !== 8) throw new RasterFailure('unsupported', `JPEG of ${frame.precision} bits is not read`)
  checkFrame(frame, shape)
  checkScans(whole)
  // The fast decoder knows gray and colours only: it would take four components for ink.
  const isFast = !shape.exact && (shape.samples === 1 || shape.samples === 3)
  const output = isFast ? decodeFast(whole, frame, shape) : decodeExactly(whole, shape)
  if (!output) throw new RasterFailure('damaged', 'a part of the image cannot be decoded (JPEG)')
  return output
}

// The library takes the fast transform always: about half of the samples are off by 1 to 3, a few in ten thousand by 5.
function decodeFast(jpeg: Buffer, { width, height }: JpegFrame, { samples }: BlockShape): Uint8Array | null {
  const output = Buffer.allocUnsafeSlow(width * height * samples)
  try {
    turbo.decompressSync(jpeg, output, { format: samples === 1 ? turbo.FORMAT_GRAY : turbo.FORMAT_RGB })
    return output
  } catch {
    return null
  }
}

function decodeExactly(jpeg: Buffer, { samples }: BlockShape): Uint8Array | null {
  const image = decodeJpegBitExact(jpeg)
  return image?.components === samples ? image.bytes : null
}

// The tables end with an end-of-image marker and the block begins with a start-of-image one: both go at the seam.
function joinTables(bytes: Uint8Array, tables: Uint8Array | null): Buffer {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return tables && tables.length > 4 ? Buffer.concat([tables.subarray(0, tables.length - 2), block.subarray(2)]) : block
}

function checkFrame(frame: Omit<JpegFrame, 'precision'>, shape: BlockShape): void {
  if (frame.components !== shape.samples || shape.samples > 4) {
    throw new RasterFailure('unsupported', `JPEG with ${frame.components} colours is not read`)
  }
  if (frame.width !== shape.width || frame.height < shape.height || frame.height > shape.mostHeight) {
    throw new RasterFailure(
      'damaged',
      `a part of the image (JPEG) has ${frame.width} × ${frame.height} pixels, which are not those that the file says`,
    )
  }
}

// A few bytes are a scan over the whole image to the decoder: thousands of them would keep it busy for minutes.
function checkScans(bytes: Buffer): void {
  let scans = 0
  for (let at = bytes.indexOf(startOfScan); at >= 0; at = bytes.indexOf(startOfScan, at + 2)) scans++
  if (scans > max_scans) throw new RasterFailure('damaged', `a part of the image (JPEG) has ${scans} scans`)
}

export interface JpegFrame {
  readonly precision: number
  readonly width: number
  readonly height: number
  readonly components: number
}

/** The size and the components that a JPEG claims. Throws `damaged` without them. */
export function readJpegFrame(jpeg: Uint8Array): JpegFrame {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  let at = 2
  while (at + 9 < bytes.length) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff) break
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      return {
        precision: bytes[at + 4]!,
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
        components: bytes[at + 9]!,
      }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  throw new RasterFailure('damaged', 'a part of the image (JPEG) has no frame')
}
