import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cliBuild } from '../../../tools/launch/builds.mjs'
import { allowDevice } from '../harness/allow-device.ts'
import { ServerProcess } from '../harness/server-process.ts'
import type { ProofResult } from '../proof.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const prompt = 'swath-proof$ '

/** What a person does in the terminal, and what it must show; `\d` of questions is what they type. */
type Step = readonly [title: string, run: (terminal: Terminal) => Promise<unknown>]

/** Types a command and waits for a text and for the next prompt. */
const enter = async (terminal: Terminal, line: string, shows: RegExp): Promise<RegExpExecArray> => {
  terminal.type(line)
  const found = await terminal.expect(shows)
  await terminal.expect(/swath-proof\$ $/)
  return found
}

/** How each shell is started without files of its user, and how it reads the script of completion. */
const shells = {
  bash: ['bash --norc --noprofile', 'eval "$(swath completion bash)"'],
  zsh: ['zsh -f', 'autoload -Uz compinit; compinit -D; source <(swath completion zsh)'],
  fish: ['fish --no-config --private', 'swath completion fish | source'],
} as const

/** Begins a command in a shell, and presses Tab: the shell writes the rest of the word. */
async function completeIn(shell: keyof typeof shells, terminal: Terminal): Promise<void> {
  const [start, load] = shells[shell]
  terminal.type(`${start}; echo "left ${shell}"`)
  terminal.type(`${load}; echo "${shell} reads"`)
  await terminal.expect(new RegExp(`[\\r\\n]${shell} reads`))
  terminal.press('swath orders arch\t')
  await terminal.expect(/arch[^\n]*ive/)
  // Deletes the line.
  terminal.press('\u0015')
  await enter(terminal, 'exit', new RegExp(`[\\r\\n]left ${shell}`))
}

const listSteps = (url: string): readonly Step[] => {
  let order = ''
  return [
    ['sign in by a device code', async (terminal) => {
      terminal.type(`swath login --address ${url} --no-browser`)
      const [, code] = await terminal.expect(/compare the code: ([A-Z-]{9})/)
      await terminal.expect(/Waiting/)
      await allowDevice(url, code!)
      await terminal.expect(/Signed in to .* as admin@example\.com[^$]*swath-proof\$ $/)
    }],
    ['see who one is', (terminal) => enter(terminal, 'swath whoami', /credentials +profile "default"/)],
    ['search a place, as a table', (terminal) => enter(terminal, 'swath search Bolzano', /s2-bolzano-20220612 +open .* 0/)],
    ['say no to a price', async (terminal) => {
      terminal.type('swath buy naip-va-17n')
      await terminal.expect(/Buy for \d+ credits[^?]*\? \(y\/N\)/)
      await enter(terminal, 'n', /Nothing was done\./)
    }],
    ['buy after a yes', async (terminal) => {
      terminal.type('swath buy naip-va-17n')
      await terminal.expect(/Buy for \d+ credits[^?]*\? \(y\/N\)/)
      order = (await enter(terminal, 'y', /Ordered: swath wait ([0-9a-f-]{36})/))[1]!
    }],
    ['wait for the order', (terminal) => enter(terminal, `swath wait ${order}`, /status +FULFILLED/)],
    ['download and verify', (terminal) => enter(terminal, `swath download ${order} --to scenes`, /files downloaded \([^)]*\); all are verified/)],
    ['sync what is there', (terminal) => enter(terminal, `swath sync scenes order ${order}`, /0 files downloaded \(0 B\), \d+ were there/)],
    ['verify the journal', (terminal) => enter(terminal, 'swath ledger verify', /Valid: every entry/)],
    ['plan, apply, apply', async (terminal) => {
      terminal.type('swath apply orders.yaml')
      await terminal.expect(/Buy all of it for \d+ credits[^?]*\? \(y\/N\)/)
      await enter(terminal, 'y', /virginia/)
      await enter(terminal, 'swath apply orders.yaml', /To buy: 0 scenes/)
    }],
    ['listen to an event', async (terminal) => {
      terminal.type('swath listen --count 1 & sleep 2; swath projects create --name Heard --query name; wait')
      await terminal.expect(/project\.created/)
      await terminal.expect(/swath-proof\$ $/)
    }],
    ['a failure is one sentence, with its exit code', (terminal) => enter(terminal, 'swath wait order 00000000-0000-0000-0000-000000000000; echo "code $?"', /404 Not found: .*\s+code 5/)],
    ['complete in bash', (terminal) => completeIn('bash', terminal)],
    ['complete in zsh', (terminal) => completeIn('zsh', terminal)],
    ['complete in fish', (terminal) => completeIn('fish', terminal)],
    ['sign out', (terminal) => enter(terminal, 'swath logout', /Its session has ended/)],
  ] // prettier-ignore
}

/** Installs the packed command line into a folder of its own. */
function installPackage(folder: string): void {
  const run = (program: string, args: readonly string[], cwd: string): void => {
    const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  }
  run(process.execPath, ['tools/launch/run.mjs', '--dev', cliBuild.program], root)
  run('npm', ['pack', '--pack-destination', folder], join(root, cliBuild.folder))
  run('npm', ['install', '-g', '--prefix', join(folder, 'installed'), './swath-cli-0.1.0.tgz'], folder)
}

/**
 * The whole path of a person in a pseudo-terminal, with the command line as it is installed from its tarball, on the Node of the PATH.
 * The recording is written to `proof-cli/recording.txt` in the folder for temporary files.
 */
export async function proveCli(): Promise<ProofResult> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-prove-cli-'))
  const kept = join(tmpdir(), 'proof-cli')
  const server = new ServerProcess({ SWATH_DATA_DIR: join(folder, 'data') })
  const violations: string[] = []
  let done = 0
  try {
    installPackage(folder)
    await server.start()
    await writeFile(
      join(folder, 'orders.yaml'),
      'orders:\n  - name: virginia\n    scenes: [naip-va-17n, naip-va-18n]\n',
    )
    await mkdir(kept, { recursive: true })
    const path = `${join(folder, 'installed', 'bin')}:${process.env['PATH']}`
    const env = { PATH: path, HOME: folder, TERM: 'xterm', SWATH_CONFIG_DIR: join(folder, 'config'), SWATH_NO_KEYCHAIN: '1', PS1: prompt } // prettier-ignore
    const terminal = openTerminal(env, folder, join(kept, 'recording.txt'))
    await enter(terminal, 'stty cols 120', /stty/)
    for (const [title, run] of listSteps(server.url)) {
      await run(terminal).catch((error: Error) => violations.push(`${title}: ${error.message}`))
      if (violations.length > 0) break
      done += 1
      console.log(`done  ${title}`)
    }
    await terminal.close()
    const recording = await readFile(join(kept, 'recording.txt'), 'utf8')
    if (/\n\s+at .*\.m?js:\d+/.test(recording)) violations.push('the recording has a stack trace')
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { tried: `${done} steps in a pseudo-terminal, recorded in ${join(kept, 'recording.txt')}`, violations }
}
