import { wasmPackage } from '../wasm-module.ts'

/** The face of the decoder inside `@cornerstonejs/codec-libjpeg-turbo-8bit`, as far as it is used. */
interface JpegDecoder {
  getEncodedBuffer(length: number): Uint8Array
  decode(): void
  /** Samples pixel after pixel, three for colours. */
  getDecodedBuffer(): Uint8Array
  delete(): void
}

interface JpegModule {
  readonly HEAPU8?: Uint8Array
  readonly JPEGDecoder?: new () => JpegDecoder
}

const createModule = wasmPackage<JpegModule>('@cornerstonejs/codec-libjpeg-turbo-8bit')

/** A decoder whose memory grew beyond this is not kept. */
const KEPT_BYTES = 67_108_864
let kept: JpegModule | null = null

/**
 * Decodes a JPEG of one or three components with the accurate transform, bit for bit as GDAL does, seven times slower than
 * the fast one. Null where it cannot be decoded; a decoder that failed is thrown away with its memory.
 */
export function decodeExactly(jpeg: Uint8Array): Uint8Array | null {
  const module = kept ?? createModule()
  kept = null
  try {
    const decoder = new module.JPEGDecoder!()
    decoder.getEncodedBuffer(jpeg.length).set(jpeg)
    decoder.decode()
    // The view ends with the decoder's next picture.
    const samples = new Uint8Array(decoder.getDecodedBuffer())
    decoder.delete()
    if (module.HEAPU8!.length <= KEPT_BYTES) kept = module
    return samples
  } catch {
    return null
  }
}
