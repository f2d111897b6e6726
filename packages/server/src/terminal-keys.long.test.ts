import { everyScope } from '@swath/client/every-scope.ts'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { freePort } from '../test/free-port.mjs'
import {
  moduleLoaderFlags,
  startServerProcess,
  stopServerProcess,
  waitForOutput,
  type ServerProcess,
} from '../test/server-processes.ts'
import { pathWithCurl } from '../test/shell-commands.ts'
import { authorizationParameters, createPkce, TestBrowser } from '../test/test-browser.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const chosenPassword = 'a password of my own'

let folder: string
let settings: Readonly<Record<string, string>>
let server: ServerProcess
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-terminal-'))
  settings = { SWATH_DATA_DIR: join(folder, 'a folder'), PORT: String(await freePort()) }
  server = await start()
})
after(async () => {
  server.child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  const started = startServerProcess(settings)
  await waitForOutput(started, /billing\.credits\.balance .*\n|npm run key|make an API key/)
  return started
}

async function restart(): Promise<void> {
  await stopServerProcess(server)
  server = await start()
}

interface Finished {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Finished> =>
  new Promise((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE } = process.env
    // The profiles of whoever runs the test are not those of the server.
    const env = { PATH, NODE_COMPILE_CACHE, SWATH_CONFIG_DIR: join(folder, 'config'), ...settings, ...more }
    execFile(program, args, { env, cwd: repository }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })

/** Runs a program of a command of the README. */
const runTool = (...args: string[]): Promise<Finished> => run(process.execPath, [...moduleLoaderFlags(), ...args])
const runOperation = (...args: string[]): Promise<Finished> => runTool('packages/cli/src/main.ts', ...args)

const printedCommands = (): string[] => server.output.out.split('\n').filter((line) => line.startsWith('curl '))

/** Runs printed commands in the reverse order, each in a shell of its own. */
async function assertCommandsWork(commands: readonly string[]): Promise<void> {
  assert.equal(commands.length, 3)
  const PATH = await pathWithCurl(join(folder, 'bin'))
  for (const command of commands.toReversed()) {
    const { code, out, err } = await run('sh', ['-c', command], { PATH })
    assert.equal(code, 0, `${command}\n${out}${err}`)
    assert.ok(out.startsWith('{'), out)
  }
}

const url = (): string => `http://127.0.0.1:${settings['PORT']}`
const readFirst = async (): Promise<{ username: string; password: string }> =>
  JSON.parse(await readFile(join(settings['SWATH_DATA_DIR']!, 'first-credentials.json'), 'utf8')) as {
    username: string
    password: string
  }

async function openPerson(): Promise<Client> {
  const { username } = await readFirst()
  return createClient({
    baseUrl: url(),
    token: createTokenSource(url(), { username, password: chosenPassword, scope: everyScope }),
  })
}

const parameters = (): URLSearchParams =>
  authorizationParameters(createPkce(), { redirect_uri: `${url()}/auth/callback` })

test('the printed commands and npm run op work after the first start; the key is in a file that only its owner can read', async () => {
  await assertCommandsWork(printedCommands())
  const { code, out, err } = await runOperation('users.me')
  assert.equal(code, 0, err)
  assert.equal((JSON.parse(out) as { kind: string }).kind, 'api_key')
  assert.equal((await stat(join(settings['SWATH_DATA_DIR']!, 'terminal-key'))).mode & 0o777, 0o600)
  const attached = await runOperation('payment_methods.attach', '{ "payment_method_id": "pm_card_good" }')
  assert.equal(attached.code, 0, `what only a person may call is called with the first password: ${attached.err}`)
})

test('the generated password of a local server may remain, and be changed on the sign-in page', async () => {
  const { username, password } = await readFirst()
  const kept = await new TestBrowser({ url: url() }).signIn(parameters(), username, password)
  assert.equal(kept.status, 303, kept.body)
  const browser = new TestBrowser({ url: url() })
  const page = await browser.submit(await browser.open(parameters()), {
    email: username,
    password,
    next_page: 'new-password',
  })
  assert.match(page.body, /Choose a new password/)
  assert.doesNotMatch(page.body, /made for you/)
  const both = { new_password: chosenPassword, new_password_again: chosenPassword }
  assert.equal((await browser.submit(page, both)).status, 303)
})

test('after the password was changed, and after a restart, the printed commands, op and tour work', async () => {
  const printedFirst = printedCommands()
  await assertCommandsWork(printedFirst)
  assert.equal((await runOperation('projects.list')).code, 0)
  await restart()
  await assertCommandsWork(printedFirst)
  await assertCommandsWork(printedCommands())
  const tour = ['tools/tour/tour.ts', '--out', join(folder, 'tour')]
  const refused = await runTool(...tour)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^The password of the first start was changed\. Set SWATH_USERNAME and SWATH_PASSWORD/)
  const { username } = await readFirst()
  const person = { SWATH_USERNAME: username, SWATH_PASSWORD: chosenPassword }
  const shown = await run(process.execPath, [...moduleLoaderFlags(), ...tour], person)
  assert.equal(shown.code, 0, shown.err)
  assert.match(shown.out, /Left in the wallet/)
  const { code, err } = await runOperation('payment_methods.attach', '{ "payment_method_id": "pm_card_good" }')
  assert.equal(code, 3)
  assert.match(
    err,
    /^403 .*To call it as a person, sign in \(swath login\), or set SWATH_USERNAME and SWATH_PASSWORD\.\n$/,
  )
})

interface ListedKey {
  readonly id: string
  readonly name: string
  readonly revoked_at: string | null
}

test('a revoked key is named in a sentence everywhere, and npm run key replaces it', async () => {
  const person = await openPerson()
  const list = async () => (await person.call<{ api_keys: ListedKey[] }>('api_keys.list')).api_keys
  const [key] = await list()
  assert.equal(key?.name, 'Terminal')
  const commands = printedCommands()
  await person.call('api_keys.revoke', { key_id: key.id })

  const { code, err } = await runOperation('users.me')
  assert.equal(code, 3)
  assert.match(err, /^The server does not accept the terminal's API key any more.*: npm run key\n$/)
  const PATH = await pathWithCurl(join(folder, 'bin'))
  const refused = await run('sh', ['-c', commands[0]!], { PATH })
  assert.equal(refused.code, 22)
  assert.match(refused.out, /unauthenticated/)
  await restart()
  assert.match(server.output.out, /was revoked or has expired\. This makes a new one: npm run key\n/)

  const renewed = await runTool('tools/key.ts')
  assert.equal(renewed.code, 0, renewed.err)
  await assertCommandsWork(commands)
  assert.deepEqual(
    (await list()).map(({ revoked_at }) => revoked_at === null),
    [true, false],
  )
  assert.equal((await runTool('tools/key.ts')).code, 0)
  assert.equal((await list()).filter(({ revoked_at }) => revoked_at === null).length, 1, 'the former one is revoked')
})

test('without a server, or the file of the key, tools print instructions; the next start makes a key', async () => {
  await stopServerProcess(server)
  const stopped = await runOperation('users.me')
  assert.deepEqual([stopped.code, stopped.out], [6, ''])
  assert.match(stopped.err, /^No server answers at http:\S+ Start it with npm start;/)
  assert.match((await runTool('tools/key.ts')).out, /is deleted\. The next start of the server/)
  const missing = await runOperation('users.me')
  assert.equal(missing.code, 3)
  assert.match(
    missing.err,
    /terminal-key cannot be read \(ENOENT\)\. Start the server first \(npm start\), make a new key/,
  )
  server = await start()
  await assertCommandsWork(printedCommands())
})

test('a server that others may reach has no key of the terminal', async () => {
  const shared = startServerProcess({
    SWATH_DATA_DIR: join(folder, 'shared'),
    PORT: '0',
    BASE_URL: 'https://swath.example',
    SWATH_PLAY_MONEY: 'on',
  })
  await waitForOutput(shared, /make an API key in the console/)
  await assert.rejects(stat(join(folder, 'shared', 'terminal-key')), { code: 'ENOENT' })
  assert.doesNotMatch(shared.output.out, /^curl /m)
  await stopServerProcess(shared)
})
