import { existsSync, readFileSync } from 'node:fs'

export const kernelsPath = 'packages/raster/src/kernels/wasm-bytes.ts'

const entry = new URL('../../packages/raster/src/kernels/assembly/index.ts', import.meta.url)
const folder = new URL('./', entry)

/** The part of the compiler that is used; its own types would declare `min`, `load` and `i32` for the whole project. */
interface Compiler {
  main(
    words: readonly string[],
    files: {
      readFile(name: string): string | null
      writeFile(name: string, contents: Uint8Array | string): void
      listFiles(folder: string): readonly string[]
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>
}

/** Without a runtime: kernels allocate nothing, and the memory is the caller's, who alone makes it grow. */
const options = `--runtime stub --importMemory --noExportMemory --initialMemory 1 --maximumMemory 16384 --zeroFilledMemory
  --enable simd --optimizeLevel 3 --shrinkLevel 0 --converge --noAssert --uncheckedBehavior always --noColors`

/** Compiles the kernels from AssemblyScript and prints the module as text, so that the product needs no compiler. */
export async function printKernels(): Promise<string> {
  const name: string = 'assemblyscript/asc'
  const compiler = (await import(name)) as Compiler
  const written = new Map<string, Uint8Array | string>()
  const { error, stderr } = await compiler.main(['index.ts', '--outFile', 'kernels.wasm', ...options.split(/\s+/)], {
    readFile: readSource,
    writeFile: (name, contents) => written.set(name, contents),
    listFiles: () => [],
  })
  const bytes = written.get('kernels.wasm')
  if (error || bytes === undefined)
    throw new Error(`the kernels do not compile:\n${stderr.toString()}`, { cause: error })
  return `/** The compiled kernels in base 64, printed from \`assembly/\` by \`npm run generate\`. */
export const wasmBytes =
  '${Buffer.from(bytes).toString('base64')}'
`
}

/**
 * The compiler asks for many names of which only those of the folder exist. What it writes otherwise than TypeScript, so
 * that formatter and linter could not read it, stands in a way that they can: decorators of functions in comments, and
 * imports with their ending.
 */
function readSource(name: string): string | null {
  const path = new URL(name, folder)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8')
    .replaceAll('/* @inline */', '@inline')
    .replaceAll(/( from '\.\/[\w-]+)\.ts'/g, "$1'")
}
