import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Instance, Module } from '../../web-assembly.ts'

const require = createRequire(import.meta.url)

/**
 * A codec that comes as WebAssembly inside an installed package, with the glue of its compiler; the glue's own loader
 * would use the network. It is compiled at the first call; every call returns a new instance with a memory of its own
 * that prints nothing. The object that is passed to the glue becomes the codec at once, because it is instantiated at
 * once: a promise that the glue may return resolves to the same object, and waiting for it would make decoding
 * asynchronous.
 *
 * @param wasm the file, by its name in the package.
 * @param glue returns the factory of the package, when it is needed.
 */
export function createWasmCodecLoader<Codec>(wasm: string, glue: () => (options: object) => unknown): () => Codec {
  let compiled: object | null = null
  const silent = (): void => {}
  return () => {
    compiled ??= new Module(readFileSync(require.resolve(wasm)))
    const own = compiled
    const options = {
      noInitialRun: true,
      print: silent,
      printErr: silent,
      instantiateWasm: (imports: object, ready: (instance: object, module: object) => void) => {
        const instance = new Instance(own, imports)
        ready(instance, own)
        return instance.exports
      },
    }
    glue()(options)
    return options as Codec
  }
}
