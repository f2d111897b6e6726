import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractVersion } from '../packages/contract/src/version.ts'
import { printProblemClasses } from './printers/client-problems.ts'
import { printClientTree } from './printers/client-tree.ts'
import { printFileExtensions, printTerminalStates, printWebhookEvents } from './printers/client-tables.ts'
import { printClientTypes, printEveryScope, printScopeTexts } from './printers/client-types.ts'
import { configurationPath, printConfiguration } from './printers/configuration.ts'
import { consolePathsPath, printConsolePaths } from './printers/console-paths.ts'
import { printSurface, surfacePath, findVersionError } from './printers/contract-surface.ts'
import { printCrsTable } from './printers/crs-table.ts'
import { fillBlocks } from './printers/generated-blocks.ts'
import { listModuleFiles, printHandlers } from './printers/handlers.ts'
import { kernelsPath, printKernels } from './printers/kernels.ts'
import { readNamedSchemas } from './printers/named-schemas.ts'
import { printOperationsTable } from './printers/operations-table.ts'
import { printMap, printUnscopedPermissions } from './printers/map-blocks.ts'
import { platformBlocks } from './printers/platform-blocks.ts'
import { handlersFile } from './tidy/operation-files.ts'

const root = join(import.meta.dirname, '..')
const platformFolder = 'docs/platform'

/** The printers of the marked blocks in pages that are written by hand. */
const blockPrinters = { ...platformBlocks, map: printMap, 'unscoped-connection': printUnscopedPermissions }

/** Every generated file that is tracked, with its text. What nobody reviews is not: tools/documents prints it. */
async function printFiles(): Promise<Map<string, string>> {
  const named = await readNamedSchemas()
  return new Map([
    ['docs/operations.txt', printOperationsTable()],
    [surfacePath, printSurface(contractVersion)],
    ['packages/client/src/operations.ts', printClientTypes(named)],
    ['packages/client/src/operation-tree.ts', printClientTree()],
    ['packages/client/src/errors/problem-classes.ts', printProblemClasses(named)],
    ['packages/client/src/every-scope.ts', printEveryScope()],
    ['packages/client/src/scope-texts.ts', printScopeTexts()],
    ['packages/client/src/transfer/file-extensions.ts', printFileExtensions()],
    ['packages/client/src/wait/terminal-states.ts', printTerminalStates()],
    ['packages/client/src/webhooks/event-data.ts', printWebhookEvents()],
    [configurationPath, printConfiguration()],
    [handlersFile, printHandlers(listModuleFiles(root))],
    [consolePathsPath, printConsolePaths()],
    ['packages/raster/src/formats/crs/crs-table.txt', printCrsTable()],
    [kernelsPath, await printKernels()],
    ...fillPages(),
  ])
}

/** The pages with generated blocks, these printed again. Every block is on a page. */
function fillPages(): Map<string, string> {
  const platformPages = readdirSync(join(root, platformFolder)).map((name) => `${platformFolder}/${name}`)
  const paths = ['ARCHITECTURE.md', 'docs/notes/database-roles.md', ...platformPages]
  const pages = paths.map((path) => [path, fillBlocks(path, read(path) ?? '', blockPrinters)] as const)
  const shown = new Set(pages.flatMap(([, page]) => page.blocks))
  const hidden = Object.keys(blockPrinters).filter((name) => !shown.has(name))
  if (hidden.length > 0) throw new Error(`No page shows the block ${hidden.join(', ')}.`)
  return new Map(pages.map(([path, { text }]) => [path, text]))
}

const read = (path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null

/**
 * Writes every generated file; with `--check` only lists stale files, and fails if there are any. Both fail if the contract
 * changed without a new version.
 */
const files = await printFiles()
const stale = [...files].filter(([path, text]) => read(path) !== text)
const versionError = findVersionError(read(surfacePath), files.get(surfacePath) ?? '')
if (versionError !== null) {
  console.error(versionError)
  process.exit(1)
}
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is stale: run npm run generate`)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const [path, text] of stale) {
    writeFileSync(join(root, path), text)
    console.log(`generated ${path}`)
  }
}
