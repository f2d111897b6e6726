import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contractVersion } from '../packages/contract/src/version.ts'
import { printClientTypes } from './printers/client-types.ts'
import { configurationPath, printConfiguration } from './printers/configuration.ts'
import { printSurface, surfacePath, versionFault } from './printers/contract-surface.ts'
import { printCrsTable } from './printers/crs-table.ts'
import { kernelsPath, printKernels } from './printers/kernels.ts'
import { readNamedShapes } from './printers/named-shapes.ts'
import { printOpenapi } from './printers/openapi.ts'
import { printOperationsTable } from './printers/operations-table.ts'
import { printReference } from './printers/reference.ts'

const root = join(import.meta.dirname, '..')
const referenceFolder = 'docs/reference'

/** Every generated file with its text. */
async function printAll(): Promise<Map<string, string>> {
  const shapes = await readNamedShapes()
  return new Map([
    ['docs/openapi.json', printOpenapi(shapes)],
    ['docs/operations.txt', printOperationsTable()],
    [surfacePath, printSurface(contractVersion)],
    ['packages/client/src/operations.ts', printClientTypes(shapes)],
    [configurationPath, printConfiguration()],
    ['packages/raster/src/crs/table.txt', printCrsTable()],
    [kernelsPath, await printKernels()],
    ...[...printReference(shapes)].map(([name, text]) => [`${referenceFolder}/${name}`, text] as const),
  ])
}

const read = (path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null

/** Pages of the reference that are no longer generated. */
function leftovers(files: ReadonlyMap<string, string>): string[] {
  const folder = join(root, referenceFolder)
  const present = existsSync(folder) ? readdirSync(folder).map((name) => `${referenceFolder}/${name}`) : []
  return present.filter((path) => !files.has(path))
}

/**
 * Writes every generated file; with `--check` only lists stale files, and fails if there are any. Both fail if the contract
 * changed without a new version.
 */
const files = await printAll()
const stale = [...files].filter(([path, text]) => read(path) !== text)
const superfluous = leftovers(files)
const fault = versionFault(read(surfacePath), files.get(surfacePath) ?? '')
if (fault !== null) {
  console.error(fault)
  process.exit(1)
}
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is stale: run npm run generate`)
  for (const path of superfluous) console.error(`${path} is no longer generated: run npm run generate`)
  if (stale.length + superfluous.length > 0) process.exitCode = 1
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`generated ${path}`)
  }
  for (const path of superfluous) rmSync(join(root, path))
}
