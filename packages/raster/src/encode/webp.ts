import { readFileSync } from 'node:fs'
import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { RasterFailure } from '../failures.ts'

const LONGEST_SIDE = 16_383

/** The part of the runtime's WebAssembly that is used; its types come only with those of a browser. */
interface WebAssemblyRuntime {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly

type Encoder = Awaited<ReturnType<typeof createEncoder>>

let encoder: Encoder | null = null

/**
 * Compiles the encoder, once for each thread, from the file inside the installed package: its own loader would ask the
 * network. The object that it is given becomes the encoder at once, because it is instantiated at once; the promise only
 * says so later, and waiting for it would make encoding asynchronous.
 */
function loadEncoder(): Encoder {
  const wasm = new Module(readFileSync(new URL(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))))
  const made = {
    noInitialRun: true,
    instantiateWasm: (imports: object, ready: (instance: { readonly exports: object }) => void) => {
      const instance = new Instance(wasm, imports)
      ready(instance)
      return instance.exports
    },
  }
  void createEncoder(made)
  return made as unknown as Encoder
}

/**
 * Encodes a lossy WebP with alpha kept exactly; method 0, the fastest.
 *
 * @param rgba four bytes a pixel, rows from the top.
 * @param quality 1 to 100.
 * @throws RasterFailure `request` for a size that WebP cannot hold.
 */
export function encodeWebp(rgba: Uint8Array, width: number, height: number, quality: number): Uint8Array {
  if (Math.max(width, height) > LONGEST_SIDE || Math.min(width, height) < 1)
    throw new RasterFailure('request', `a WebP of ${width}×${height} pixels cannot be encoded`)
  const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength)
  encoder ??= loadEncoder()
  const encoded = encoder.encode(pixels, width, height, { ...defaultOptions, quality, method: 0 })
  if (!encoded) throw new RasterFailure('request', 'the picture could not be encoded as WebP')
  return encoded.slice()
}
