// Runs on Node 20: plain JavaScript, Node's own modules, and esbuild where there is something to bundle.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * What is imported of packages that are loaded from a few files instead of hundreds. To find and compile the 683 modules of
 * typebox takes a third of the time in which a process loads the server.
 */
const specifiers = ['typebox', 'typebox/compile', 'typebox/value']

/**
 * Bundles those packages, once for each version of them.
 *
 * @param {string} root folder of node_modules
 * @returns {string[]} flags of Node that make it load the bundles; none where they cannot be made or kept, since the packages
 *   themselves do as well
 */
export function ensureBundles(root) {
  try {
    if (!existsSync(folderOf(root))) makeBundles(root, folderOf(root))
  } catch {
    return []
  }
  return [`--import=${pathToFileURL(join(root, 'tools/launch/resolve.mjs')).href}`]
}

/**
 * @param {string} root folder of node_modules
 * @returns {Record<string, string>} path of the bundle of each specifier
 */
export function bundlesOf(root) {
  const folder = folderOf(root)
  return Object.fromEntries(specifiers.map((specifier) => [specifier, join(folder, `${nameOf(specifier)}.mjs`)]))
}

/** @param {string} specifier */
const nameOf = (specifier) => specifier.replaceAll('/', '-')

/** @param {string} root */
function folderOf(root) {
  const packages = join(root, 'node_modules')
  const versionOf = (name) => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).version
  const versions = ['typebox', 'esbuild'].map((name) => `${name}-${versionOf(name)}`)
  return join(packages, '.cache', 'bundled', versions.join('_'))
}

/**
 * @param {string} root
 * @param {string} folder made whole or not at all, since several launchers may be at it
 */
function makeBundles(root, folder) {
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  mkdirSync(dirname(folder), { recursive: true })
  const temporary = mkdtempSync(`${folder}-`)
  try {
    buildSync({
      entryPoints: specifiers.map((specifier) => ({ in: specifier, out: nameOf(specifier) })),
      absWorkingDir: root,
      outdir: temporary,
      bundle: true,
      // What two entries share exists once, as it does in the package.
      splitting: true,
      format: 'esm',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
    })
    renameSync(temporary, folder)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}
