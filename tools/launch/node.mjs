import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBundles } from './bundle.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const oldest = 24

/**
 * The Node that everything after the launcher runs on: the pinned one, or the one running now when it is new enough.
 *
 * @param {string} [folder] where node_modules is
 * @returns {string} path of the program
 */
export function pickNode(folder = root) {
  const home = join(folder, 'node_modules', 'node')
  const pinned = join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (works(pinned)) return pinned
  if (major(process.versions.node) >= oldest) return process.execPath
  // npm was told to run no install scripts: this is the one step that the package cannot do without.
  if (existsSync(home)) {
    spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: home, stdio: ['ignore', 2, 2] })
  }
  if (works(pinned)) return pinned
  throw new Error(
    `Node ${oldest} or later is needed. This is Node ${process.versions.node}, and the pinned "node" package has no program ` +
      'for this machine. Run "npm rebuild node --ignore-scripts=false", or start with a newer Node.',
  )
}

/** @param {string} program */
function works(program) {
  if (!existsSync(program)) return false
  if (program === process.execPath) return true
  const said = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return said.status === 0 && major(said.stdout.trim().replace(/^v/, '')) >= oldest
}

/** @param {string} version */
function major(version) {
  return Number(version.split('.')[0])
}

/** Where Node keeps what it compiled: every program of ours loads hundreds of files, and half of a start was reading them. */
const compiled = join(root, 'node_modules', '.cache', 'compiled')

/**
 * What the server is started with beside what is set. The C library gives each thread that meets another one an arena of its
 * own, up to eight for each core, and an arena keeps what its threads have freed: under a mixed load they held 400 MiB. Two
 * are enough, because nearly all that the threads of pixels take is memory of V8.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Record<string, string>}
 */
export function serverEnvironment(environment) {
  return { MALLOC_ARENA_MAX: environment.MALLOC_ARENA_MAX ?? '2' }
}

/**
 * Becomes the given program as far as Node can: same streams, same signals, same end.
 *
 * @param {string} program
 * @param {readonly string[]} words
 * @param {Record<string, string>} [extra] environment beside the present one
 */
export function become(program, words, extra = {}) {
  const environment = { NODE_COMPILE_CACHE: compiled, ...process.env, ...extra }
  // Scripts that start "node" themselves get the same one.
  environment.PATH = `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`
  const child = spawn(program, words, { cwd: root, stdio: 'inherit', env: environment })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends its Ctrl-C to the child too; twice would look like impatience.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`${program} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

/**
 * npm starts a shell that starts us. A SIGTERM to npm ends that shell and never reaches us: that the parent is gone is the
 * only sign of it. (Started by hand, a parent may leave as it likes.)
 *
 * @param {() => void} work
 */
function whenOrphaned(work) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    work()
  }, 200)
  watch.unref()
}

/**
 * The end of an installation: the empty database that every first start copies. Where it fails the first start makes it,
 * and says why it cannot.
 *
 * @param {string} program
 */
export function prepare(program) {
  process.stderr.write('Preparing the embedded database (once).\n')
  spawnSync(program, [...nodeFlags(), 'tools/launch/prepare.ts'], { cwd: root, stdio: ['ignore', 2, 2] })
}

/**
 * What every program of ours is started with: no experimental warnings, which say nothing to its reader, and what makes its
 * loading short.
 */
export const nodeFlags = () => ['--disable-warning=ExperimentalWarning', ...ensureBundles(root)]

/**
 * Runs a launcher and prints a failure as one sentence.
 *
 * @param {() => void} work
 */
export function orSayWhy(work) {
  try {
    work()
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
