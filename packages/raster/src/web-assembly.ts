/** The part of the runtime's WebAssembly that is used; its types come only with those of a browser. */
interface WebAssemblyRuntime {
  readonly Module: (new (bytes: Uint8Array) => object) & {
    imports(module: object): readonly { readonly module: string; readonly name: string }[]
  }
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

export const { Module, Instance, Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly
