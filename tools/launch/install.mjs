// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { acquireFolderLock } from './folder-lock.mjs'

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
    process.stderr.write('Installing packages from package-lock.json (once).\n')
    runNpm(root, ['ci'])
    return true
  } finally {
    release()
  }
}

/**
 * npm writes its hidden lockfile last, so an interrupted installation has none. Optional packages are those of other
 * platforms and are not required.
 *
 * @param {string} root
 * @param {{ dev: boolean }} need
 */
export function isInstalled(root, options) {
  const locked = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!locked) throw new Error('package-lock.json is missing or cannot be read.')
  if (!present) return false
  const missing = Object.entries(locked).some(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional) return false
    if (entry.dev && !options.dev) return false
    const installed = present[path]
    return !installed || installed.version !== entry.version || installed.integrity !== entry.integrity
  })
  return !missing && Object.keys(present).every((path) => path in locked)
}

/** @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
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
