import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readNamedSchemas } from '../printers/named-schemas.ts'
import { printPythonProblems } from '../printers/python/problems.ts'
import { printSyncSource } from '../printers/python/sync-source.ts'
import { printPythonManifest, printPythonTables } from '../printers/python/tables.ts'
import { printPythonTree } from '../printers/python/tree.ts'
import { printPythonTypes } from '../printers/python/types.ts'

const packageRoot = join(import.meta.dirname, '../../packages/python')
const sources = join(packageRoot, 'src/swath')

/**
 * Prints what the Python package has of the contract, and its blocking modules and tests from the asynchronous ones. Programs that
 * import the package from its sources need this once, and again when the contract or `_async` has changed.
 */
const named = await readNamedSchemas()
const types = printPythonTypes(named)
await writeModules(join(sources, '_generated'), {
  '__init__.py': '',
  'manifest.py': printPythonManifest(),
  'problems.py': printPythonProblems(named, types),
  'tables.py': printPythonTables(),
  'types.py': types.text,
})
const tree = printPythonTree(types)
const asynchronous = await readModules(join(sources, '_async'))
await writeFile(join(sources, '_async/tree.py'), tree)
await writeModules(join(sources, '_sync'), mapValues({ ...asynchronous, 'tree.py': tree }, printSyncSource))
for (const [folder, printed] of [
  ['aio', 'sync'],
  ['live', 'live_sync'],
] as const) {
  const tests = await readModules(join(packageRoot, 'tests', folder))
  await writeModules(join(packageRoot, 'tests', printed), mapValues(tests, printSyncSource))
}
console.log(`printed ${types.signatures.size} operations and ${Object.keys(asynchronous).length} modules`)

/** Replaces the modules of a folder; others are removed. */
async function writeModules(folder: string, modules: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await Promise.all(Object.entries(modules).map(([name, text]) => writeFile(join(folder, name), text)))
}

async function readModules(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.py'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!]))
}

function mapValues(
  modules: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(modules).map(([name, text]) => [name, change(text)]))
}
