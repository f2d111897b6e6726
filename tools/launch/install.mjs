// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireFolderLock } from './folder-lock.mjs'
import { listRequiredPackages, readInstalledPackages, readLockedPackages, serverWorkspaces } from './lockfile.mjs'
import { explainMissingNode, pinnedNodePackage } from './node.mjs'

/**
 * Installs the packages of the lockfile into `node_modules`; does nothing if they are installed already.
 *
 * @param {string} root folder of package.json
 * @param {{ dev: boolean }} need whether development dependencies are required, too
 * @returns {boolean} whether anything was installed
 */
export function ensureInstalled(root, options) {
  if (isInstalled(root, options)) return false
  const release = acquireFolderLock(root, 'install')
  try {
    // Another launcher may have installed the packages while this one waited.
    if (isInstalled(root, options)) return false
    const machine = { platform: process.platform, arch: process.arch, version: process.versions.node }
    const missing = explainMissingNode(readLockedPackages(root), machine)
    if (missing !== null) throw new Error(missing)
    const text = options.dev
      ? 'Installing all packages, with those of development (once)'
      : 'Installing the packages of the server (once)'
    runStep(text, () => runNpm(root, [...cleanInstall, ...(options.dev ? [] : serverOnly)]))
    removeHeaders(root)
    return true
  } finally {
    release()
  }
}

/**
 * Runs a step of a first start, and prints its name and the time that it took.
 *
 * @template T
 * @param {string} text
 * @param {() => T} work
 * @returns {T}
 */
export function runStep(text, work) {
  const begin = performance.now()
  process.stderr.write(`${text} …\n`)
  const result = work()
  process.stderr.write(`  done after ${((performance.now() - begin) / 1000).toFixed(1)} s\n`)
  return result
}

/**
 * What the cache of npm has is not looked up again: the lockfile has the checksums. Without that, npm asks the registry for the
 * versions of every package.
 */
export const cleanInstall = ['ci', '--prefer-offline', '--ignore-scripts']

const serverOnly = ['--omit=dev', ...serverWorkspaces.map((workspace) => `--workspace=${workspace}`)]

/**
 * Removes the C headers of the pinned Node, which are a third of it: nothing is compiled against them.
 *
 * @param {string} root
 */
function removeHeaders(root) {
  const name = pinnedNodePackage(process.platform, process.arch)
  rmSync(join(root, 'node_modules', name, 'include'), { recursive: true, force: true })
}

/**
 * npm writes its hidden lockfile last, so an interrupted installation has none. Optional packages are those of other
 * platforms and are not required.
 *
 * @param {string} root
 * @param {{ dev: boolean }} need
 */
export function isInstalled(root, options) {
  const locked = readLockedPackages(root)
  const present = readInstalledPackages(root)
  if (!present) return false
  const required = options.dev
    ? Object.keys(locked).filter((path) => path.startsWith('node_modules/'))
    : listRequiredPackages(locked, serverWorkspaces)
  const missing = required.some((path) => {
    const entry = locked[path]
    if (entry.optional || entry.devOptional) return false
    const installed = present[path]
    return !installed || installed.version !== entry.version || installed.integrity !== entry.integrity
  })
  return !missing && Object.keys(present).every((path) => path in locked)
}

/**
 * Runs the npm that started this process, else the one in PATH.
 *
 * @param {string} root
 * @param {string[]} words
 */
export function runNpm(root, args) {
  const npmPath = process.env.npm_execpath
  const environment = { ...process.env }
  // `npm test --workspace=…` would otherwise limit the installation to that workspace.
  for (const name of ['npm_config_workspace', 'npm_config_workspaces', 'npm_config_omit']) delete environment[name]
  const options = { cwd: root, env: environment, stdio: ['ignore', 2, 2] }
  const result =
    npmPath && npmPath.endsWith('.js')
      ? spawnSync(process.execPath, [npmPath, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (result.error) throw new Error(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) throw new Error(`"npm ${args.join(' ')}" ended with ${result.status ?? result.signal}.`)
}
