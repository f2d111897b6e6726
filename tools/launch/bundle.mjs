// Runs on Node 20: plain JavaScript, Node's built-in modules, and esbuild to create the bundles.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Imports that are bundled into a few files. Resolving and compiling the 683 modules of typebox takes a third of the time in
 * which a process loads the server.
 */
const specifiers = ['typebox', 'typebox/compile', 'typebox/format', 'typebox/value']

/**
 * Bundles those packages, once per version.
 *
 * @param {string} root folder of node_modules
 * @returns {string[]} Node flags that load the bundles; none if they cannot be created, since the packages themselves work
 *   as well
 */
export function ensureBundles(root) {
  try {
    if (!existsSync(bundleFolder(root))) createBundles(root, bundleFolder(root))
  } catch {
    return []
  }
  return [`--import=${pathToFileURL(join(root, 'tools/launch/resolve.mjs')).href}`]
}

/**
 * @param {string} root folder of node_modules
 * @returns {Record<string, string>} path of the bundle of each specifier
 */
export function bundlePaths(root) {
  const folder = bundleFolder(root)
  return Object.fromEntries(specifiers.map((specifier) => [specifier, join(folder, `${bundleName(specifier)}.mjs`)]))
}

/** @param {string} specifier */
const bundleName = (specifier) => specifier.replaceAll('/', '-')

/**
 * Returns the folder of the bundle, named after its content, so that one of other versions or other imports is not
 * used.
 *
 * @param {string} root
 */
function bundleFolder(root) {
  const packages = join(root, 'node_modules')
  const versionOf = (name) => JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')).version
  const versions = ['typebox', 'esbuild'].map((name) => `${name}-${versionOf(name)}`)
  return join(packages, '.cache', 'bundled', [...versions, ...specifiers.map(bundleName)].join('_'))
}

/**
 * @param {string} root
 * @param {string} folder created atomically, since several launchers may run at once
 */
function createBundles(root, folder) {
  const { buildSync } = createRequire(import.meta.url)('esbuild')
  mkdirSync(dirname(folder), { recursive: true })
  const temporary = mkdtempSync(`${folder}-`)
  try {
    buildSync({
      entryPoints: specifiers.map((specifier) => ({ in: specifier, out: bundleName(specifier) })),
      absWorkingDir: root,
      outdir: temporary,
      bundle: true,
      // Modules that two entry points share must exist once, as in the package.
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
