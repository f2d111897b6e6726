import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The part of the runtime's WebAssembly that is used; its types come only with those of a browser. */
interface WebAssemblyRuntime {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime }).WebAssembly
const require = createRequire(import.meta.url)

/**
 * A decoder that comes as WebAssembly inside an installed package, with the glue of its compiler. It is compiled at the
 * first call; every call answers a new one with a memory of its own, ready at once, that prints nothing.
 */
export function wasmPackage<Decoder>(name: string): () => Decoder {
  let compiled: object | null = null
  const silent = (): void => {}
  return () => {
    compiled ??= new Module(readFileSync(require.resolve(`${name}/decodewasm`)))
    const own = compiled
    const options = {
      print: silent,
      printErr: silent,
      instantiateWasm: (imports: object, ready: (instance: object, module: object) => void) => {
        const instance = new Instance(own, imports)
        ready(instance, own)
        return instance.exports
      },
    }
    const start = require(`${name}/decodewasmjs`) as (options: object) => unknown
    start(options)
    return options as Decoder
  }
}
