import { wasmPackage } from '../codecs/wasm-module.ts'

/** The face of the decoder inside `@cornerstonejs/codec-openjpeg`, as far as it is used. */
interface OpenJpegDecoder {
  getEncodedBuffer(length: number): Uint8Array
  /** Halves the picture `reduce` times; 0 layers means all. Says nothing where it fails: there is no picture then. */
  decodeSubResolution(reduce: number, layers: number): void
  /** Samples pixel after pixel, in one or two bytes. */
  getDecodedBuffer(): Uint8ClampedArray
  getFrameInfo(): { readonly bitsPerSample: number }
  delete(): void
}

interface OpenJpegModule {
  readonly HEAPU8?: Uint8Array
  readonly J2KDecoder?: new () => OpenJpegDecoder
}

const createModule = wasmPackage<OpenJpegModule>('@cornerstonejs/codec-openjpeg')

/** A decoder whose memory grew beyond this is not kept. */
const KEPT_BYTES = 100_663_296

let kept: OpenJpegModule | null = null

/**
 * Decodes a codestream of one tile, halved `reduce` times, into samples pixel after pixel (signed ones as their bits);
 * null where it cannot be decoded. Memory: what the decoder
 * needs, about twelve bytes a sample; a decoder that failed, or grew large, is thrown away with its memory.
 */
export function decodeCodestream(codestream: Uint8Array, reduce: number): Uint8Array | Uint16Array | null {
  const module = kept ?? createModule()
  kept = null
  try {
    const decoder = new module.J2KDecoder!()
    decoder.getEncodedBuffer(codestream.length).set(codestream)
    decoder.decodeSubResolution(reduce, 0)
    const { buffer, byteOffset, byteLength } = decoder.getDecodedBuffer()
    if (byteLength === 0) return null
    const { bitsPerSample } = decoder.getFrameInfo()
    decoder.delete()
    if (module.HEAPU8!.length <= KEPT_BYTES) kept = module
    return bitsPerSample <= 8
      ? new Uint8Array(buffer, byteOffset, byteLength)
      : new Uint16Array(buffer, byteOffset, byteLength / 2)
  } catch {
    return null
  }
}
