import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contractVersion } from '../packages/contract/src/version.ts'
import { printClientTypes } from './printers/client-types.ts'
import { configurationPath, printConfiguration } from './printers/configuration.ts'
import { consolePathsPath, printConsolePaths } from './printers/console-paths.ts'
import { printSurface, surfacePath, findVersionError } from './printers/contract-surface.ts'
import { printCrsTable } from './printers/crs-table.ts'
import { fillBlocks } from './printers/generated-blocks.ts'
import { listModuleFiles, printHandlers } from './printers/handlers.ts'
import { kernelsPath, printKernels } from './printers/kernels.ts'
import { readNamedSchemas } from './printers/named-schemas.ts'
import { printOpenapi } from './printers/openapi.ts'
import { printOperationsTable } from './printers/operations-table.ts'
import { platformBlocks } from './printers/platform-blocks.ts'
import { printReference } from './printers/reference.ts'
import { handlersFile } from './tidy/operation-files.ts'

const root = join(import.meta.dirname, '..')
const referenceFolder = 'docs/reference'
const platformFolder = 'docs/platform'

/** Every generated file with its text. */
async function printFiles(): Promise<Map<string, string>> {
  const namedSchemas = await readNamedSchemas()
  return new Map([
    ['docs/openapi.json', printOpenapi(namedSchemas)],
    ['docs/operations.txt', printOperationsTable()],
    [surfacePath, printSurface(contractVersion)],
    ['packages/client/src/operations.ts', printClientTypes(namedSchemas)],
    [configurationPath, printConfiguration()],
    [handlersFile, printHandlers(listModuleFiles(root))],
    [consolePathsPath, printConsolePaths()],
    ['packages/raster/src/formats/crs/crs-table.txt', printCrsTable()],
    [kernelsPath, await printKernels()],
    ...fillPlatformPages(),
    ...[...printReference(namedSchemas)].map(([name, text]) => [`${referenceFolder}/${name}`, text] as const),
  ])
}

/** The pages on the rules of the platform, with their generated blocks printed again. Every block is on a page. */
function fillPlatformPages(): Map<string, string> {
  const paths = readdirSync(join(root, platformFolder)).map((name) => `${platformFolder}/${name}`)
  const pages = paths.map((path) => [path, fillBlocks(path, read(path) ?? '', platformBlocks)] as const)
  const shown = new Set(pages.flatMap(([, page]) => page.blocks))
  const hidden = Object.keys(platformBlocks).filter((name) => !shown.has(name))
  if (hidden.length > 0) throw new Error(`No page of ${platformFolder} shows the block ${hidden.join(', ')}.`)
  return new Map(pages.map(([path, { text }]) => [path, text]))
}

const read = (path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null

/** Pages of the reference that are no longer generated. */
function listObsoletePages(files: ReadonlyMap<string, string>): string[] {
  const folder = join(root, referenceFolder)
  const present = existsSync(folder) ? readdirSync(folder).map((name) => `${referenceFolder}/${name}`) : []
  return present.filter((path) => !files.has(path))
}

/**
 * Writes every generated file; with `--check` only lists stale files, and fails if there are any. Both fail if the contract
 * changed without a new version.
 */
const files = await printFiles()
const stale = [...files].filter(([path, text]) => read(path) !== text)
const obsolete = listObsoletePages(files)
const versionError = findVersionError(read(surfacePath), files.get(surfacePath) ?? '')
if (versionError !== null) {
  console.error(versionError)
  process.exit(1)
}
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is stale: run npm run generate`)
  for (const path of obsolete) console.error(`${path} is no longer generated: run npm run generate`)
  if (stale.length + obsolete.length > 0) process.exitCode = 1
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`generated ${path}`)
  }
  for (const path of obsolete) rmSync(join(root, path))
}
