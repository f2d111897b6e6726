import { Instance, Memory, Module } from '../../web-assembly.ts'
import type { WasmMemory } from '../../web-assembly.ts'
import type { GrowableBuffer } from './arena.ts'
import { wasmBytes } from './wasm-bytes.ts'

const page_bytes = 2 ** 16
/** The limits that the module was compiled with: its own tables, and 1 GiB. */
const memoryPages = { initial: 4, maximum: 2 ** 14 }

let compiled: object | null = null

/** A new instance of the kernels with a memory of its own. The module is compiled once for each thread. */
export function instantiateKernels(): { readonly buffer: GrowableBuffer; readonly exports: object } {
  compiled ??= new Module(Buffer.from(wasmBytes, 'base64'))
  const memory = new Memory(memoryPages)
  const { exports } = new Instance(compiled, { env: { memory } })
  return { buffer: growableMemory(memory), exports }
}

function growableMemory(memory: WasmMemory): GrowableBuffer {
  return {
    get buffer() {
      return memory.buffer
    },
    grow: (bytes) => growTo(memory, bytes),
  }
}

/** Pages that are not touched cost nothing, so it grows by half at least. */
function growTo(memory: WasmMemory, bytes: number): boolean {
  const held = memory.buffer.byteLength / page_bytes
  const needed = Math.ceil(bytes / page_bytes)
  const wanted = Math.min(memoryPages.maximum, Math.max(needed, held + (held >> 1)))
  for (const pages of [wanted, needed]) {
    try {
      memory.grow(pages - held)
      return true
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return false
}
