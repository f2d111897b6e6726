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

/*
 * The module is compiled once, when this file is first imported, from the file inside the installed package: its own
 * loader would ask the network. Awaiting it here keeps the encoder synchronous, which workers want.
 */
const wasm = new Module(readFileSync(new URL(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))))
const encoder = await createEncoder({
  noInitialRun: true,
  instantiateWasm: (imports: object, ready: (instance: { readonly exports: object }) => void) => {
    const instance = new Instance(wasm, imports)
    ready(instance)
    return instance.exports
  },
})

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
  const encoded = encoder.encode(pixels, width, height, { ...defaultOptions, quality, method: 0 })
  if (!encoded) throw new RasterFailure('request', 'the picture could not be encoded as WebP')
  return encoded.slice()
}
