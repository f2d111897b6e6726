// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, link?: boolean,
 *   resolved?: string, os?: string | string[], cpu?: string | string[], dependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} LockEntry
 */

/**
 * The workspaces whose packages a server and its tools need: the other packages build the console, or are for
 * development.
 */
export const serverWorkspaces = ['packages/server', 'packages/cli', 'tools/launch']

/**
 * @param {string} root folder of package.json
 * @returns {Record<string, LockEntry>} by path
 */
export function readLockedPackages(root) {
  const locked = readPackages(join(root, 'package-lock.json'))
  if (!locked) throw new Error('package-lock.json is missing or cannot be read.')
  return locked
}

/**
 * @param {string} root
 * @returns {Record<string, LockEntry> | null} the installed packages; null if no installation was completed
 */
export const readInstalledPackages = (root) => readPackages(join(root, 'node_modules', '.package-lock.json'))

/** @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/**
 * The packages that workspaces need on every kind of machine, without their development dependencies.
 *
 * @param {Record<string, LockEntry>} locked
 * @param {readonly string[]} workspaces
 * @returns {string[]} their paths
 */
export function listRequiredPackages(locked, workspaces) {
  const found = new Set()
  const visit = (path) => {
    if (path === null || found.has(path)) return
    found.add(path)
    const { link, resolved, dependencies = {}, peerDependencies = {} } = locked[path]
    if (link) return visit(resolved)
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) visit(resolvePackage(locked, path, name))
  }
  workspaces.forEach(visit)
  return [...found].filter((path) => path.startsWith('node_modules/') && !locked[path].link)
}

/**
 * As Node does: in the folder of the package, then in those around it. Null for an optional package that nothing installs.
 *
 * @param {Record<string, LockEntry>} locked
 * @param {string} from
 * @param {string} name
 */
function resolvePackage(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    if (path in locked) return path
    if (folder === '') return null
  }
}
