import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findOperation } from '@swath/contract/registry.ts'
import { settings } from '../../src/platform/settings.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const readText = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const listFolder = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)

const settingNames: ReadonlySet<string> = new Set(Object.values(settings).map(({ name }) => name))

/** Variables of the other programs in these files, and those that compose.yaml is filled in from. */
const otherVariables: ReadonlySet<string> = new Set(
  'NODE_ENV MALLOC_ARENA_MAX SWATH_HOST SWATH_FILES_HOST SWATH_VERSION NODE_DIGEST DEBIAN_DIGEST S3_SECRET_KEY SUPERUSER_URL SWATH_TEST_CITUS POSTGRES_PASSWORD POSTGRES_USER DATABASE_OWNER_PASSWORD DATABASE_SERVICE_PASSWORD'.split(
    ' ',
  ),
)

/** Names that are set (`NAME=` or `NAME:`), read (`$NAME`, `${NAME…}`) or quoted as code (`` `NAME` ``, `` `NAME=…` ``). */
const variablesIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|[\s"'`]|\$\{?)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=[=:}`\s"']|$)/gm)].map(([, name]) => name!)

const files = async (): Promise<string[]> => [
  'compose.yaml',
  'Dockerfile',
  ...(await listFolder('deploy/systemd')),
  ...(await listFolder('deploy/postgres')),
  ...(await listFolder('deploy/balancer')),
  ...(await listFolder('docs/operate')).filter((name) => name.endsWith('.md')),
]

test('every variable that the files for operators name is a setting of the server, or one of theirs', async () => {
  for (const file of await files()) {
    const unknown = variablesIn(await readText(file)).filter(
      (name) => !settingNames.has(name) && !otherVariables.has(name) && !/^(ON_ERROR_STOP|AF_.+)$/.test(name),
    )
    assert.deepEqual([...new Set(unknown)], [], file)
  }
  assert.ok(variablesIn(await readText('compose.yaml')).includes('DATABASE_MIGRATION_URL'))
})

test('images are pinned by a version', async () => {
  const text = `${await readText('compose.yaml')}\n${await readText('Dockerfile')}`
  const images = [...text.matchAll(/^\s*(?:image:|FROM)\s+(\S+)/gm)].map(([, image]) => image!)
  assert.ok(images.length >= 7)
  for (const image of images.filter((name) => !name.startsWith('swath:')))
    assert.match(image, /^[\w./-]+:v?\d+[\w.-]*(?:\$\{(?:NODE|DEBIAN)_DIGEST\})?$/)
})

test('each base image of the Dockerfile takes its digest from a build argument', async () => {
  const dockerfile = await readText('Dockerfile')
  const [global = ''] = dockerfile.split(/^FROM /m)
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!)
  for (const image of bases) {
    const [, argument] = /\$\{(\w+_DIGEST)\}$/.exec(image) ?? []
    assert.ok(argument, image)
    assert.match(global, new RegExp(`^ARG ${argument}=$`, 'm'))
  }
  assert.equal(bases.length, 3)
})

/** The version of the Node that the lockfile pins. */
async function pinnedNode(): Promise<string> {
  const { optionalDependencies } = JSON.parse(await readText('tools/launch/package.json')) as {
    optionalDependencies: Readonly<Record<string, string>>
  }
  const versions = Object.entries(optionalDependencies).flatMap(([name, version]) =>
    name.startsWith('node-') ? version : [],
  )
  assert.equal(new Set(versions).size, 1)
  return versions[0]!
}

/** Runs the build of a release with a command `docker` that writes its arguments down and knows one digest. */
async function buildImage(digest: string, environment: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'swath-docker-'))
  try {
    const commands = join(folder, 'commands')
    const script = `#!/bin/sh\necho "$*" >>${commands}\n[ "$1" != buildx ] || echo '${digest}'\n`
    await writeFile(join(folder, 'docker'), script, { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env['PATH']}`, ...environment }
    const { status, stderr } = spawnSync('bash', ['deploy/build-image.sh', 'swath:1'], { cwd: root, env })
    return { status, stderr: String(stderr), commands: (await readFile(commands, 'utf8')).trim().split('\n') }
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the build of a release fills in the digests of the registry, and refuses others than the reviewed ones', async () => {
  const digest = `@sha256:${'0a'.repeat(32)}`
  const { status, stderr, commands } = await buildImage(digest, { NODE_DIGEST: digest })
  assert.equal(status, 0, stderr)
  const [node, debian, build] = commands
  assert.match(node!, new RegExp(` node:${await pinnedNode()}-bookworm-slim$`))
  assert.match(debian!, / debian:\d+\.\d+-slim$/)
  assert.equal(build, `build --build-arg NODE_DIGEST=${digest} --build-arg DEBIAN_DIGEST=${digest} --tag swath:1 .`)

  const moved = await buildImage(digest, { DEBIAN_DIGEST: `@sha256:${'ff'.repeat(32)}` })
  assert.deepEqual([moved.status, moved.commands.some((command) => command.startsWith('build '))], [1, false])
  assert.match(moved.stderr, /debian:\S+ is @sha256:0a/)
  assert.equal((await buildImage('none')).status, 1)
})

test('the last stage of the image has the pinned Node and no build tool', async () => {
  const stages = (await readText('Dockerfile')).split(/^FROM /m)
  const last = stages.at(-1)!
  assert.doesNotMatch(last, /\b(npm|npx|apt-get|esbuild|vite)\b/)
  assert.match(last, /^USER \d+/m)
  const base = `node:${await pinnedNode()}-`
  for (const stage of stages.slice(1, -1)) assert.ok(stage.startsWith(base), stage.slice(0, 60))
})

test('every file that the image copies, and every one that the units and compose.yaml start, exists', async () => {
  const copied = [...(await readText('Dockerfile')).matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, words]) =>
    words!.split(' '),
  )
  const started = (await Promise.all((await files()).map(readText)))
    .join('\n')
    .matchAll(/(?:packages|tools|deploy)\/[\w/-]+\.(?:ts|mjs|sh|conf|cfg|ini)/g)
  for (const path of [...copied, ...[...started].map(([name]) => name)].filter((name) => name !== '.'))
    await assert.doesNotReject(
      readText(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EISDIR') throw error
      }),
      path,
    )
  assert.ok(copied.length > 5)
})

test('the runbook has a row for each alert, and names operations that exist', async () => {
  const runbook = await readText('docs/operate/runbook.md')
  const alerts = [...(await readText('docs/operate/alert-rules.yml')).matchAll(/alert: (\w+)/g)].map(
    ([, name]) => name!,
  )
  assert.ok(alerts.length > 5)
  for (const alert of alerts) assert.match(runbook, new RegExp(`^\\| \`${alert}\` \\| .+ \\| .+ \\|$`, 'm'), alert)
  const named = [...runbook.matchAll(/(?:`|op -- )([a-z_]+(?:\.[a-z_]+)+)(?=`|$| )/gm)].map(([, id]) => id!)
  const ids = named.filter((name) => !/\.(md|ts|conf|yml)$/.test(name))
  assert.ok(ids.length > 5)
  for (const id of ids) assert.ok(findOperation(id), id)
})

test('a unit gives its process more time to stop than its delay and its drain take', async () => {
  const seconds = (name: string): number => {
    const setting = Object.values(settings).find((candidate) => candidate.name === name)
    return Number(setting!.fallback) / 1000
  }
  for (const file of await listFolder('deploy/systemd')) {
    const [, stop_s] = /^TimeoutStopSec=(\d+)$/m.exec(await readText(file))!
    assert.ok(Number(stop_s) > seconds('DRAIN_MS') + 6 + 30, file)
  }
})
