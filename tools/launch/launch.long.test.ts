import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isInstalled } from './install.mjs'
import { pickNode } from './node.mjs'

const locked = {
  '': { name: 'project' },
  'packages/server': { dependencies: { one: '1.0.0' } },
  'packages/cli': {},
  'tools/launch': {},
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
  'node_modules/other-machine': { version: '1.0.0', integrity: 'sha512-other', optional: true },
  'node_modules/linter': { version: '2.0.0', integrity: 'sha512-linter', dev: true },
}

function folderWith(context: TestContext, present: object | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-launch-'))
  context.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }))
  if (present) writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: present }))
  return folder
}

const { 'node_modules/one': one, 'node_modules/linter': linter } = locked
const all = { 'node_modules/one': one, 'node_modules/linter': linter }

test('isInstalled is true when all packages of the lockfile but optional ones are installed', (context) => {
  assert.equal(isInstalled(folderWith(context, all), { dev: true }), true)
})

test('isInstalled is false for a missing, different, modified or superfluous package', (context) => {
  const others = [
    null,
    {},
    { ...all, 'node_modules/one': { ...one, version: '1.0.1' } },
    { ...all, 'node_modules/one': { ...one, integrity: 'sha512-changed' } },
    { ...all, 'node_modules/stray': one },
  ]
  for (const present of others) assert.equal(isInstalled(folderWith(context, present), { dev: true }), false)
})

test('isInstalled ignores missing development dependencies unless they are required', (context) => {
  const folder = folderWith(context, { 'node_modules/one': one })
  assert.equal(isInstalled(folder, { dev: false }), true)
  assert.equal(isInstalled(folder, { dev: true }), false)
})

test('runAsChild calls onReady when the program reports that it is ready', async () => {
  const nodeModule = JSON.stringify(join(import.meta.dirname, 'node.mjs'))
  const program = `process.send('ready', undefined, undefined, () => process.disconnect())`
  const source = `import(${nodeModule}).then((it) => it.runAsChild(process.execPath, ['-e', ${JSON.stringify(program)}],
    { onReady: () => console.log('told') }))`
  const launcher = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(launcher.stdout, 'data')
  assert.equal(String(output), 'told\n')
})

test('pickNode returns the running Node when no pinned one is installed', (context) => {
  assert.equal(pickNode(folderWith(context, all)), process.execPath)
})

/** Source of a launcher whose child process runs a line. */
const launcherSource = (line: string): string => {
  const nodeModule = JSON.stringify(join(import.meta.dirname, 'node.mjs'))
  return `import(${nodeModule}).then((it) => it.runAsChild(process.execPath, ['-e', ${JSON.stringify(line)}]))`
}

const launch = (line: string) =>
  spawn(process.execPath, ['-e', launcherSource(line)], { stdio: ['ignore', 'pipe', 'inherit'] })

test('the launcher exits with the exit code or signal of its child', async () => {
  const [code] = await once(launch('process.exitCode = 7'), 'exit')
  assert.equal(code, 7)
  const [killed] = await once(launch('process.kill(process.pid, "SIGKILL")'), 'exit')
  assert.equal(killed, 128 + 9)
})

test('the launcher forwards SIGTERM, SIGINT and SIGHUP and waits for the child', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const launcher = launch(
      `process.on(${JSON.stringify(signal)}, () => process.exit(5)); setInterval(() => {}, 1000); console.log("ready")`,
    )
    await once(launcher.stdout, 'data')
    launcher.kill(signal)
    const [code] = await once(launcher, 'exit')
    assert.equal(code, 5)
  }
})

test('the launcher terminates its child when the parent npm has exited', async () => {
  const line =
    'process.on("SIGTERM", () => { console.log("drained"); process.exit() }); setInterval(() => {}, 1000); console.log("ready")'
  const shell = spawn('sh', ['-c', '"$NODE" -e "$LAUNCHER"; true'], {
    env: { ...process.env, npm_lifecycle_event: 'start', NODE: process.execPath, LAUNCHER: launcherSource(line) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shell.stdout.on('data', (part: Buffer) => {
    if (output === '') shell.kill('SIGTERM')
    output += part.toString()
  })
  await once(shell.stdout, 'close')
  assert.equal(output, 'ready\ndrained\n')
})

test('a name that matches no test file fails with exit code 1', () => {
  const output = spawnSync(process.execPath, [join(import.meta.dirname, 'test.mjs'), 'no-such-name'], {
    encoding: 'utf8',
  })
  assert.equal(output.status, 1)
  assert.match(output.stderr, /No test file matches no-such-name/)
})
