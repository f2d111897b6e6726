import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export const kernelsPath = 'packages/raster/src/compute/kernels/wasm-bytes.ts'

const entry = new URL('../../packages/raster/src/compute/kernels/assembly/index.ts', import.meta.url)
const folder = new URL('.//', entry)
const printed = new URL('../wasm-bytes.ts', entry)

/** The part of the compiler API that is used; its own types would declare `min`, `load` and `i32` globally. */
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

/** Without a runtime: kernels allocate nothing; the caller owns the memory and grows it. */
const options = `--runtime stub --importMemory --noExportMemory --initialMemory 4 --maximumMemory 16384 --zeroFilledMemory
  --enable simd --optimizeLevel 3 --shrinkLevel 0 --noAssert --uncheckedBehavior always --noColors`

/**
 * Compiles the kernels from AssemblyScript and prints the module as base64, so that the product needs no compiler. Compiling
 * takes many seconds, so the present file is reused if neither it nor the sources have changed.
 */
export async function printKernels(): Promise<string> {
  const sources = digest([...sourceTexts(), options, compilerVersion()])
  const present = existsSync(printed) ? readFileSync(printed, 'utf8') : ''
  const base64 = /'([^']*)'/.exec(present)?.[1] ?? ''
  return present === moduleText(base64, sources) ? present : moduleText(await compileKernels(), sources)
}

const moduleText = (base64: string, sources: string): string => `/**
 * The compiled kernels in base 64, printed from \`assembly/\` by \`npm run generate\`:
 * sources ${sources}, module ${digest([base64])}.
 */
export const wasmBytes =
  '${base64}'
`

const digest = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 32)

const sourceTexts = (): string[] =>
  readdirSync(folder)
    .sort()
    .map((name) => `${name}\n${readFileSync(new URL(name, folder), 'utf8')}`)

function compilerVersion(): string {
  return (createRequire(import.meta.url)('assemblyscript/package.json') as { version: string }).version
}

async function compileKernels(): Promise<string> {
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
  return Buffer.from(bytes).toString('base64')
}

/**
 * The compiler requests many names, of which only those in the folder exist. Syntax that is not valid TypeScript is written
 * in a form that formatter and linter accept, and converted here: function decorators in comments, imports with extension, and
 * functions that are repeated for each of some types.
 */
function readSource(name: string): string | null {
  const path = new URL(name, folder)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8')
    .replaceAll(/\/\* @each (.*) \*\/\n((?:.+\n)+)/g, (_, types: string, text: string) => repeatForTypes(text, types))
    .replaceAll('/* @inline */', '@inline')
    .replaceAll(/( from '\.\/[\w-]+)\.ts'/g, "$1'")
}

/** Functions once for each type, which stands for T in their text and, in capitals, in their names: the compiler exports no generics. */
const repeatForTypes = (text: string, types: string): string =>
  types
    .split(' ')
    .map((type) =>
      text.replaceAll('<T>', `<${type}>`).replaceAll(/(?<=function [a-zA-Z]+)T(?=(?:x4)?\()/g, type.toUpperCase()),
    )
    .join('\n')
