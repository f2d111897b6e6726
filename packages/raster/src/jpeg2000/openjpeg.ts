import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

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

/** The part of the runtime's WebAssembly that is used; its types come only with those of a browser. */
interface WebAssemblyRuntime {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly

/** A decoder whose memory grew beyond this is not kept. */
const KEPT_BYTES = 100_663_296

let loading: Promise<void> | null = null
let compiled: object | null = null
let factory: ((options: object) => unknown) | null = null
let kept: OpenJpegModule | null = null

/** Compiles the decoder from the file inside the installed package. */
export function prepareOpenJpeg(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  const require = createRequire(import.meta.url)
  compiled = new Module(await readFile(require.resolve('@cornerstonejs/codec-openjpeg/decodewasm')))
  factory = require('@cornerstonejs/codec-openjpeg/decodewasmjs') as (options: object) => unknown
}

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

// The module is ready as soon as the function returns: its code has been compiled before.
function createModule(): OpenJpegModule {
  const silent = (): void => {}
  const options = {
    print: silent,
    printErr: silent,
    instantiateWasm: (imports: object, ready: (instance: object, module: object) => void) => {
      const instance = new Instance(compiled!, imports)
      ready(instance, compiled!)
      return instance.exports
    },
  }
  factory!(options)
  return options as OpenJpegModule
}
