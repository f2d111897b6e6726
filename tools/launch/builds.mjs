// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * A folder that is made from sources and not tracked.
 *
 * @typedef {object} Build
 * @property {string} name
 * @property {string} folder
 * @property {readonly string[]} sources files and folders on which it depends
 * @property {string} program makes it; with `--if-stale` only if it was made from other sources
 * @property {string} without what runs if it cannot be made
 */

/** @type {Build} */
export const consoleBuild = {
  name: 'console',
  folder: 'apps/console/dist',
  sources: ['apps/console/src', 'apps/console/public', 'apps/console/index.html', 'apps/console/share.html', 'apps/console/docs.html', 'packages/client/src', 'tools/console', 'package-lock.json'], // prettier-ignore
  program: 'tools/console/build.ts',
  without: 'The console could not be built; the server starts without it.',
}

/** The printed forms of the contract that the server sends: its OpenAPI document and the pages of its reference. @type {Build} */
export const documentsBuild = {
  name: 'documents',
  folder: 'packages/server/dist',
  sources: ['packages/contract/src', 'packages/contract/package.json', 'tools/printers', 'tools/documents', 'packages/server/src/http/pages', 'packages/server/src/platform/html'], // prettier-ignore
  program: 'tools/documents/build.ts',
  without: 'The OpenAPI document and the reference could not be printed; the server answers 503 for them.',
}

/** The package of the client as it is published. @type {Build} */
export const clientBuild = {
  name: 'client',
  folder: 'packages/client/dist',
  sources: ['packages/client/src', 'packages/client/package.json', 'packages/client/README.md', 'packages/contract/src', 'tools/printers', 'tools/client', 'package-lock.json'], // prettier-ignore
  program: 'tools/client/build.ts',
  without: 'The package of the client could not be built.',
}

/** The operations of the contract as the command line reads them. @type {Build} */
export const commandsBuild = {
  name: 'commands',
  folder: 'packages/cli/dist-commands',
  sources: ['packages/contract/src', 'packages/contract/package.json', 'tools/printers/command-table.ts', 'tools/cli/print-commands.ts'], // prettier-ignore
  program: 'tools/cli/print-commands.ts',
  without: 'The table of commands could not be printed; the command line does not know the operations.',
}

/** The package of the command line, with all of it in one file. @type {Build} */
export const cliBuild = {
  name: 'command line',
  folder: 'packages/cli/dist',
  sources: ['packages/cli/src', 'packages/cli/package.json', 'packages/cli/README.md', 'packages/client/src', 'packages/contract/src', 'tools/printers/command-table.ts', 'tools/cli/build.ts', 'tools/verify-ledger.mjs', 'tools/verify-receipt.mjs', 'package-lock.json'], // prettier-ignore
  program: 'tools/cli/build.ts',
  without: 'The command line could not be built.',
}

/** The plugin for QGIS, as the archive that QGIS installs. @type {Build} */
export const qgisBuild = {
  name: 'plugin for QGIS',
  folder: 'packages/qgis/dist',
  sources: ['packages/qgis/swath', 'tools/qgis'],
  program: 'tools/qgis/build.ts',
  without: 'The plugin for QGIS could not be packed.',
}

/** Beside the files of a build: the fingerprint of the sources that they were made from. */
export const fingerprintName = 'fingerprint'

/**
 * Whether a folder was made from the present sources.
 *
 * @param {string} root folder of package.json
 * @param {Build} build
 */
export function isBuilt(root, build) {
  const file = join(root, build.folder, fingerprintName)
  return existsSync(file) && readFileSync(file, 'utf8') === computeFingerprint(root, build)
}

/**
 * Makes a folder if it was not made, or from other sources: the console takes a few seconds, the documents one. If that fails,
 * the server starts without it, and the reason has been printed.
 *
 * @param {string} root folder of package.json
 * @param {Build} build
 * @param {string} node the Node that runs programs
 * @param {readonly string[]} flags its flags
 */
export function ensureBuilt(root, build, node, flags) {
  if (isBuilt(root, build)) return
  const { status } = spawnSync(node, [...flags, build.program, '--if-stale'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.stderr.write(`${build.without}\n`)
}

/**
 * Creates the folder of the console. Until it is filled, a server that finds it answers with a page that says so.
 *
 * @param {string} root folder of package.json
 */
export function prepareConsoleFolder(root) {
  mkdirSync(join(root, consoleBuild.folder), { recursive: true })
}

/**
 * Has the console built beside the server, by a process of its own, if it has not been built.
 *
 * @param {string} root folder of package.json
 */
export function startConsoleBuild(root) {
  if (isBuilt(root, consoleBuild)) return
  const builder = spawn(process.execPath, ['tools/launch/build-console.mjs'], { cwd: root, stdio: ['ignore', 2, 2] })
  process.once('exit', () => builder.kill())
}

/**
 * @param {string} root folder of package.json
 * @param {Build} build
 */
export function computeFingerprint(root, { sources }) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const path of listFiles(join(root, source))) hash.update(relative(root, path)).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/**
 * @param {string} path of a file or folder
 * @returns {string[]}
 */
function listFiles(path) {
  const entries = readEntries(path)
  if (!entries) return existsSync(path) ? [path] : []
  return entries.toSorted().flatMap((name) => listFiles(join(path, name)))
}

/** @param {string} path */
function readEntries(path) {
  try {
    return readdirSync(path)
  } catch {
    return null
  }
}
