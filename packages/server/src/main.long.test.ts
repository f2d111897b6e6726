import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { testCacheDir } from '../test/database.ts'
import { startServerProcess, type ServerProcess } from '../test/server-processes.ts'
import { pathWithCurl } from '../test/shell-commands.ts'
import { openEmbeddedPostgres } from './platform/database/embedded/open.ts'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'swath-main-'))
})
after(() => rm(root, { recursive: true, force: true }))

const start = (environment: Readonly<Record<string, string>>): ServerProcess =>
  startServerProcess({ PORT: '0', SWATH_DEMO: 'off', ...environment })

/** Waits for the last line of the start message; fails if the process ends first. */
async function waitForGreeting({ child, output }: ServerProcess, last: RegExp): Promise<string> {
  const ended = once(child, 'exit').then(([code, signal]) =>
    assert.fail(`it ended with ${code ?? signal}: ${output.err}`),
  )
  while (!last.test(output.out)) await Promise.race([once(child.stdout!, 'data'), ended])
  ended.catch(() => undefined)
  return output.out
}

async function end({ child }: ServerProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  assert.deepEqual(await once(child, 'exit'), [0, null])
}

/** Runs the printed commands in a shell; each is complete in itself, so their order does not matter. */
async function runPrintedCommands(greeting: string): Promise<string> {
  const lines = greeting.split('\n').filter((line) => line.startsWith('curl '))
  assert.equal(lines.length, 3)
  const env = { PATH: await pathWithCurl(join(root, 'bin')) }
  const { stdout } = await promisify(execFile)('sh', ['-ec', lines.toReversed().join('\necho\n')], { env })
  return stdout
}

const lastLine = /billing\.credits\.balance.*\n/

test('a start on a port in use exits with a one-line error, and the password that it wrote works at the next start', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const folder = join(root, 'first')
  const { port } = other.address() as AddressInfo
  const rejected = start({ SWATH_DATA_DIR: folder, PORT: String(port) })
  const [code] = await once(rejected.child, 'close')
  other.close()
  assert.equal(code, 1)
  assert.equal(rejected.output.err, `Port ${port} of 127.0.0.1 is in use by another program. Set PORT to a free one.\n`)
  const path = join(folder, 'first-credentials.json')
  const { username, password } = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
  if (process.platform !== 'win32') {
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    for (const made of [folder, join(folder, 'database'), join(folder, 'blobs')]) {
      assert.equal((await stat(made)).mode & 0o777, 0o700, made)
    }
  }

  const server = start({ SWATH_DATA_DIR: folder })
  const greeting = await waitForGreeting(server, /if they were not changed/)
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting) ?? []
  const form = new URLSearchParams({ grant_type: 'password', username: username!, password: password! })
  const signedIn = await fetch(`${address}/realms/public/protocol/openid-connect/token`, { method: 'POST', body: form })
  assert.equal(signedIn.status, 200)
  assert.equal((JSON.parse(await readFile(path, 'utf8')) as Record<string, string>)['address'], address)
  const second = start({ SWATH_DATA_DIR: folder })
  assert.equal((await once(second.child, 'close'))[0], 1)
  assert.match(second.output.err, /^The data folder \S+ is in use by process \d+ since \S+\.\n$/)
  await end(server, 'SIGHUP')
})

test('without the demo the three printed commands work, with a generated and with a configured password', async () => {
  const made = start({ SWATH_DATA_DIR: join(root, 'made') })
  const said = await runPrintedCommands(await waitForGreeting(made, lastLine))
  assert.match(said, /"api_key"/)
  assert.match(said, /credits/i)
  await end(made, 'SIGTERM')

  const secret = { SWATH_ADMIN_PASSWORD: `it's "my" secret & more` }
  const set = start({ SWATH_DATA_DIR: join(root, 'set'), ...secret })
  const greeting = await waitForGreeting(set, lastLine)
  assert.match(greeting, /the password that you set/)
  assert.ok(!greeting.includes(secret.SWATH_ADMIN_PASSWORD))
  assert.match(await runPrintedCommands(greeting), /"api_key"/)
  const credentialsPath = join(root, 'set', 'first-credentials.json')
  const { password } = JSON.parse(await readFile(credentialsPath, 'utf8')) as Record<string, string>
  assert.equal(password, secret.SWATH_ADMIN_PASSWORD)
  if (process.platform !== 'win32') assert.equal((await stat(credentialsPath)).mode & 0o777, 0o600)
  await end(set, 'SIGINT')
})

test('a start that fails after the queue has begun ends the process', async () => {
  const folder = join(root, 'failing')
  const server = start({ SWATH_DATA_DIR: folder })
  await waitForGreeting(server, lastLine)
  await end(server, 'SIGTERM')
  const database = await openEmbeddedPostgres({
    dir: join(folder, 'database'),
    cacheDir: testCacheDir,
    statement_timeout_ms: 30_000,
  })
  await database.runScript('alter table users rename to former_users')
  await database.close()
  const failing = start({ SWATH_DATA_DIR: folder })
  assert.equal((await once(failing.child, 'close'))[0], 1)
  assert.match(failing.output.err, /relation "users" does not exist/)
})

test('an unreachable database is a one-line error without its password', async () => {
  const withoutDatabase = start({
    SWATH_DATA_DIR: join(root, 'dead'),
    DATABASE_URL: 'postgres://swath:hunter22@127.0.0.1:1/swath',
    BASE_URL: 'http://127.0.0.1:8080',
    SWATH_PLAY_MONEY: 'on',
  })
  assert.equal((await once(withoutDatabase.child, 'close'))[0], 1)
  assert.match(withoutDatabase.output.err, /^The database at 127\.0\.0\.1:1 cannot be used: .*Check DATABASE_URL\.\n$/)
  assert.doesNotMatch(withoutDatabase.output.err, /hunter22/)
})

test('a public server without a Stripe key is rejected before it opens anything', async () => {
  const folder = join(root, 'public')
  const rejected = start({ SWATH_DATA_DIR: folder, HOST: '0.0.0.0' })
  assert.equal((await once(rejected.child, 'close'))[0], 1)
  assert.match(rejected.output.err, /^The configuration is invalid:\n- STRIPE_SECRET_KEY is required .*\n$/)
  await assert.rejects(stat(folder), { code: 'ENOENT' })
})
