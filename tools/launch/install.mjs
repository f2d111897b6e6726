// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Installs the packages of the lockfile into `node_modules`; does nothing if they are installed already.
 *
 * @param {string} root folder of package.json
 * @param {{ dev: boolean }} need whether development dependencies are required, too
 * @returns {boolean} whether anything was installed
 */
export function ensureInstalled(root, need) {
  if (isInstalled(root, need)) return false
  const release = waitForTurn(root)
  try {
    // Another launcher may have installed the packages while this one waited.
    if (isInstalled(root, need)) return false
    process.stderr.write('Installing packages from package-lock.json (once).\n')
    npm(root, ['ci'])
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
export function isInstalled(root, need) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted) throw new Error('package-lock.json is missing or cannot be read.')
  if (!present) return false
  const missing = Object.entries(wanted).some(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional) return false
    if (entry.dev && !need.dev) return false
    const there = present[path]
    return !there || there.version !== entry.version || there.integrity !== entry.integrity
  })
  return !missing && Object.keys(present).every((path) => path in wanted)
}

/** @param {string} file */
function packagesOf(file) {
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
export function npm(root, words) {
  const own = process.env.npm_execpath
  const environment = { ...process.env }
  // `npm test --workspace=…` would otherwise limit the installation to that workspace.
  for (const name of ['npm_config_workspace', 'npm_config_workspaces', 'npm_config_omit']) delete environment[name]
  const options = { cwd: root, env: environment, stdio: ['ignore', 2, 2] }
  const done =
    own && own.endsWith('.js')
      ? spawnSync(process.execPath, [own, ...words], options)
      : spawnSync('npm', words, { ...options, shell: process.platform === 'win32' })
  if (done.error) throw new Error(`npm could not be started: ${done.error.message}`)
  if (done.status !== 0) throw new Error(`"npm ${words.join(' ')}" ended with ${done.status ?? done.signal}.`)
}

/**
 * Waits for the installation lock of a folder: two installations at once break each other. The lock holds a process id; the
 * lock of a dead process is taken over.
 *
 * @param {string} root
 */
function waitForTurn(root) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `swath-install-${name}`)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isAlive(join(lock, 'pid'))) rmSync(lock, { recursive: true, force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  }
  writeFileSync(join(lock, 'pid'), String(process.pid))
  return () => rmSync(lock, { recursive: true, force: true })
}

/** @param {string} file */
function isAlive(file) {
  // The holder may not have written its process id yet.
  if (!existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
