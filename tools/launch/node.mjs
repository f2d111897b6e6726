import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBundles } from './bundle.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Node runs the TypeScript sources by stripping types; no earlier version is tested, and `@types/node` describes this one. */
const min_node_major = 24

/**
 * The package that holds the pinned Node for a kind of machine. Not every kind has one: those that exist are optional
 * dependencies with the operating system and the processor that they are for.
 *
 * @param {string} platform as `process.platform`
 * @param {string} arch as `process.arch`
 */
export const pinnedNodePackage = (platform, arch) => `node-${platform === 'win32' ? 'win' : platform}-${arch}`

/**
 * Explains what a person has to install before anything can run here; null if the pinned Node or the running one can
 * run it.
 *
 * @param {Record<string, unknown>} locked the packages of the lockfile
 * @param {{ platform: string, arch: string, version: string }} machine the kind of machine, and its running Node
 * @returns {string | null}
 */
export function explainMissingNode(locked, { platform, arch, version }) {
  if (major(version) >= min_node_major || `node_modules/${pinnedNodePackage(platform, arch)}` in locked) return null
  return (
    `Swath needs Node ${min_node_major} or later, and this is Node ${version}. It brings its own Node for some machines, but not for ` +
    `${platform} on ${arch}: install Node ${min_node_major} from https://nodejs.org and run the command again.`
  )
}

/**
 * The Node that runs all programs: the pinned one, or the running one if it is new enough.
 *
 * @param {string} [folder] where node_modules is
 * @returns {string} path of the program
 */
export function pickNode(folder = root) {
  const name = pinnedNodePackage(process.platform, process.arch)
  const pinned = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (isUsable(pinned)) return pinned
  if (major(process.versions.node) >= min_node_major) return process.execPath
  throw new Error(
    `Swath needs Node ${min_node_major} or later, this is Node ${process.versions.node}, and the package ${name} is not installed or ` +
      'does not run here: run "npm ci --include=optional", or install a newer Node from https://nodejs.org.',
  )
}

/** @param {string} program */
function isUsable(program) {
  if (!existsSync(program)) return false
  if (program === process.execPath) return true
  const result = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return result.status === 0 && major(result.stdout.trim().replace(/^v/, '')) >= min_node_major
}

/** @param {string} version */
function major(version) {
  return Number(version.split('.')[0])
}

/** Node's compile cache: every program loads hundreds of files, and compiling them was half of the start-up time. */
const compileCacheFolder = join(root, 'node_modules', '.cache', 'compiled')

/**
 * Additional environment of the server. glibc gives contending threads malloc arenas of their own, up to eight per core, and
 * an arena keeps freed memory: under a mixed load they held 400 MiB. Two are enough, because nearly all memory of the
 * raster threads is allocated by V8.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Record<string, string>}
 */
export function serverEnvironment(environment) {
  return { MALLOC_ARENA_MAX: environment.MALLOC_ARENA_MAX ?? '2' }
}

/**
 * Runs the program in place of this process, as far as Node can: same streams, same signals, same exit code.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ extra?: Record<string, string>, onReady?: () => void }} [options] additional environment variables; what to do when the
 *   program reports that it is ready
 */
export function runAsChild(program, args, { extra = {}, onReady } = {}) {
  const environment = { NODE_COMPILE_CACHE: compileCacheFolder, ...process.env, ...extra }
  // Scripts that start "node" themselves use the same one.
  environment.PATH = `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`
  const stdio = ['inherit', 'inherit', 'inherit', ...(onReady ? ['ipc'] : [])]
  const child = spawn(program, args, { cwd: root, stdio, env: environment })
  if (onReady) child.once('message', onReady)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child as well; a second signal would force an immediate exit.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  if (process.env.npm_lifecycle_event !== undefined) onParentExit(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`${program} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/**
 * npm starts a shell that starts this process. A SIGTERM to npm ends that shell and does not reach this process; a changed
 * parent process is the only sign. (Not used when started by hand, where the parent may exit.)
 *
 * @param {() => void} work
 */
function onParentExit(work) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    work()
  }, 200)
  timer.unref()
}

/**
 * Node flags of every program: no experimental warnings, and the bundles for a faster start.
 */
export const nodeFlags = () => ['--disable-warning=ExperimentalWarning', ...ensureBundles(root)]

/**
 * Runs a launcher and prints an error as one line without a stack.
 *
 * @param {() => void} work
 */
export function runOrExit(work) {
  try {
    work()
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
