import { readFile } from 'node:fs/promises'
import createEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import { defaultOptions } from '@jsquash/webp/meta.js'
import { RasterFailure } from '../failures.ts'
import type { Packer, Packing } from './packing.ts'

/** The part of the runtime's WebAssembly that is used; its types come only with those of a browser. */
interface WebAssemblyRuntime {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

type Encoder = Awaited<ReturnType<typeof createEncoder>>

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly

let loading: Promise<Encoder> | null = null

/** Compiles the encoder from the file inside the installed package; its own loader would ask the network. */
async function loadEncoder(): Promise<Encoder> {
  const wasm = new Module(await readFile(new URL(import.meta.resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))))
  return createEncoder({
    noInitialRun: true,
    instantiateWasm: (imports: object, ready: (instance: { readonly exports: object }) => void) => {
      const instance = new Instance(wasm, imports)
      ready(instance)
      return instance.exports
    },
  })
}

/**
 * Packs blocks of red, green, blue and perhaps alpha as WebP, on this thread. Lossless keeps the colours of transparent
 * pixels too.
 */
export function createWebpPacker({ block, channels, quality, lossless }: Packing): Packer {
  const options = { ...defaultOptions, quality, ...(lossless ? { lossless: 1, exact: 1, method: 0 } : {}) }
  return async (bytes) => {
    loading ??= loadEncoder()
    const encoder = await loading
    const rgba = channels === 4 ? new Uint8ClampedArray(bytes) : withAlpha(bytes)
    const packed = encoder.encode(rgba, block, block, options)
    if (!packed) throw new RasterFailure('write', 'a block could not be packed as WebP')
    return [packed.slice()]
  }
}

function withAlpha(rgb: Uint8Array): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray((rgb.length / 3) * 4)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    rgba[to] = rgb[from]!
    rgba[to + 1] = rgb[from + 1]!
    rgba[to + 2] = rgb[from + 2]!
    rgba[to + 3] = 255
  }
  return rgba
}
