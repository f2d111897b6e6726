// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What the built console depends on. */
const sources = ['apps/console/src', 'apps/console/public', 'apps/console/index.html', 'apps/console/share.html', 'apps/console/docs.html', 'packages/client/src', 'tools/console', 'package-lock.json'] // prettier-ignore
/** @param {string} root */
const fingerprintFile = (root) => join(root, 'apps', 'console', 'dist', 'fingerprint')

/**
 * Whether the built console was made from the present sources.
 *
 * @param {string} root folder of package.json
 */
export function isConsoleBuilt(root) {
  const file = fingerprintFile(root)
  return existsSync(file) && readFileSync(file, 'utf8') === computeConsoleFingerprint(root)
}

/**
 * Builds the console if it has not been built, or from other sources; a few seconds. If the build fails, the server starts
 * without it, and the reason has been printed.
 *
 * @param {string} root folder of package.json
 * @param {string} node the Node that runs programs
 * @param {readonly string[]} flags its flags
 */
export function ensureConsole(root, node, flags) {
  if (isConsoleBuilt(root)) return
  const program = ['tools/console/build.ts', '--if-stale']
  const { status } = spawnSync(node, [...flags, ...program], { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) process.stderr.write('The console could not be built; the server starts without it.\n')
}

/**
 * Has the console built beside the server, by a process of its own, if it has not been built. Until it is there, the server
 * answers with a page that says so, because the folder exists.
 *
 * @param {string} root folder of package.json
 */
export function startConsoleBuild(root) {
  if (isConsoleBuilt(root)) return
  mkdirSync(join(root, 'apps', 'console', 'dist'), { recursive: true })
  const builder = spawn(process.execPath, ['tools/launch/build-console.mjs'], { cwd: root, stdio: ['ignore', 2, 2] })
  process.once('exit', () => builder.kill())
}

/** @param {string} root */
export function computeConsoleFingerprint(root) {
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
