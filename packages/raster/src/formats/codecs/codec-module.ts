import { readFileSync } from 'node:fs'
import { Instance, Module } from '../../web-assembly.ts'

/** The exports of `tools/codecs/codecs.c`; addresses and lengths are bytes in its memory. */
interface CodecExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  allocate(bytes: number): number
  release(address: number): void
  decode_jpeg(bytes: number, length: number): number
  decode_jpeg2000(bytes: number, length: number, reduce: number, components: number, together: number): number
  width(): number
  height(): number
  components(): number
}

/** Samples pixel after pixel. */
export interface DecodedImage {
  readonly width: number
  readonly height: number
  readonly components: number
  /** Samples of up to 8 bits in one byte, others in two (little-endian). */
  readonly bytes: Uint8Array
}

/** An instance whose memory grew beyond this is not reused. */
const max_kept_bytes = 100_663_296

let compiled: object | null = null
let kept: CodecExports | null = null

/**
 * Decodes a JPEG of one to four components with the accurate transform, bit for bit as GDAL does: three become RGB where
 * the JPEG says that they are YCbCr, two and four stay what they are. Null where it cannot be decoded.
 */
export const decodeJpegBitExact = (jpeg: Uint8Array): DecodedImage | null =>
  decode(jpeg, 1, (codecs, at) => codecs.decode_jpeg(at, jpeg.length))

/**
 * Decodes a JPEG 2000 codestream of one tile, halved `reduce` times; signed samples as their bits. Null where it cannot be
 * decoded.
 *
 * @param together true where the components are transformed together; else they are decoded one after the other, which
 *   needs four bytes of memory for each sample of one component.
 */
export const decodeJpeg2000Codestream = (
  codestream: Uint8Array,
  reduce: number,
  components: number,
  bits: number,
  together: boolean,
): DecodedImage | null =>
  decode(codestream, bits <= 8 ? 1 : 2, (codecs, at) =>
    codecs.decode_jpeg2000(at, codestream.length, reduce, components, together ? 1 : 0),
  )

/** Runs a decoder over a copy of the bytes in its memory. An instance that failed is discarded with its memory. */
function decode(
  bytes: Uint8Array,
  sampleBytes: number,
  run: (codecs: CodecExports, at: number) => number,
): DecodedImage | null {
  const codecs = kept ?? instantiate()
  kept = null
  try {
    const input = codecs.allocate(bytes.length)
    if (input === 0) return null
    new Uint8Array(codecs.memory.buffer).set(bytes, input)
    const output = run(codecs, input)
    if (output === 0) return null
    const [width, height, components] = [codecs.width(), codecs.height(), codecs.components()]
    const length = width * height * components * sampleBytes
    const samples = new Uint8Array(codecs.memory.buffer, output, length).slice()
    codecs.release(output)
    codecs.release(input)
    if (codecs.memory.buffer.byteLength <= max_kept_bytes) kept = codecs
    return { width, height, components, bytes: samples }
  } catch {
    // Traps of the module are of a type that only browsers' declarations name.
    return null
  }
}

/** The module is compiled once for each thread. The system calls that its C library knows are absent: they fail. */
function instantiate(): CodecExports {
  compiled ??= new Module(readFileSync(new URL('./codecs.wasm', import.meta.url)))
  const not_supported = 58
  const system = Object.fromEntries(Module.imports(compiled).map(({ name }) => [name, () => not_supported]))
  return new Instance(compiled, { wasi_snapshot_preview1: system }).exports as CodecExports
}
