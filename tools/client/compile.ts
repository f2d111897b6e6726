import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'

const target = 'es2022'
const root = join(import.meta.dirname, '..', '..')

/**
 * Bundles the modules of entry points as ES modules, readable and without the packages that are installed with them. Anything else
 * is part of the bundle, such as the helpers for syntax that the target does not have.
 */
export async function bundleModules(
  entries: Readonly<Record<string, string>>,
  dependencies: readonly string[],
  folder: string,
): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      target,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      lib: { entry: { ...entries }, formats: ['es'] },
      rolldownOptions: {
        external: (id) => id.startsWith('node:') || dependencies.includes(id),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}

/** Writes the types of sources into the folder `types`. */
export async function emitDeclarations(sources: string, folder: string): Promise<void> {
  const project = join(sources, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    allowJs: false,
    rootDir: sources,
    outDir: join(folder, 'types'),
  }
  await writeFile(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [sources], exclude: [] })) // prettier-ignore
  const compiler = spawn(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: ['ignore', 2, 2] })
  const [status] = (await once(compiler, 'exit')) as [number | null]
  await rm(project)
  if (status !== 0) throw new Error('The types of the client could not be written.')
  await importCompiledFiles(join(folder, 'types'))
}

/** The compiler keeps the names of sources in the imports of types. */
async function importCompiledFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  for (const path of names.filter((name) => name.endsWith('.d.ts')).map((name) => join(folder, name))) {
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll(/(['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g, '$1.js$2'))
  }
}

/** The size in bytes of a module with its dependencies, minified and compressed by gzip. */
export async function measureBundle(file: string): Promise<number> {
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, target, lib: { entry: file, formats: ['es'] } },
  })) as Rolldown.RolldownOutput[]
  const text = output.flatMap((part) => part.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : ''))).join('')
  return (await promisify(gzip)(text, { level: 9 })).length
}
